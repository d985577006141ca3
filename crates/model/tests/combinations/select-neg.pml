/* spin: 84 states, 84 transitions, depth 16, 0 errors */
int k; short s; byte n = 3;
init { select (k : -2 .. 1); s = k * n; select (s : k .. n) }
