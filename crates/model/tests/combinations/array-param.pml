/* spin: 123 states, 253 transitions, depth 20, 0 errors */
byte a[3];
proctype P(byte k) { a[k] = 1 }
init { byte i; for (i : 0 .. 2) { run P(i) }; (_nr_pr == 1) -> assert(a[0] + a[1] + a[2] == 3) }
