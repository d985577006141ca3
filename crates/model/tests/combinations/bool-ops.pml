/* spin: 8 states, 8 transitions, depth 7, 0 errors */
bool a, b = true; byte n;
active proctype P() { a = !b || (n == 0 && b); b = (a -> !a : a); n = a + b + true; (n != 0) -> n = -1; n = !n }
