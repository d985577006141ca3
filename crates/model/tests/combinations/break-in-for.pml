/* spin: 27 states, 27 transitions, depth 26, 0 errors */
byte i, s; byte a[3];
init { for (i : 1 .. 5) { if :: i == 3 -> break :: else -> s = s + i fi }; for (i in a) { a[i] = s; s-- } }
