/* spin: 96 states, 96 transitions, depth 24, 0 errors */
byte a[4]; byte i, s, k;
active proctype P() { select (i : 0 .. 3); a[i] = i; for (k in a) { s = s + a[k] }; select(k: 1 .. i) ; a[k % 4] = k }
