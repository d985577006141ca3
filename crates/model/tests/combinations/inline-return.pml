/* spin: 4 states, 4 transitions, depth 3, 0 errors */
byte x; byte y;
inline add(a, b) { return a + b }
init { x = add(2, 3); y = add(x, 1) }
