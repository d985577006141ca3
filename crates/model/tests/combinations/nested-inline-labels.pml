/* spin: 312 states, 602 transitions, depth 89, 0 errors */
byte x, y;
inline g(v, k) { if :: v < k -> v++ :: else -> skip fi }
inline f(v) { g(v, 3); do :: v > 0 -> v--; g(y, 2) :: else -> break od }
active proctype P() { again: f(x); x++; if :: y < 2 -> goto again :: else fi }
active proctype Q() { g(x, 5); f(y) }
