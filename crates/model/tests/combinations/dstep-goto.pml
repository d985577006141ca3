/* spin: 6 states, 6 transitions, depth 5, 0 errors */
byte x, y;
active proctype P() { do :: d_step { x < 3 -> x++; if :: x == 2 -> goto L :: else fi; y = y + 1; L: y = y + 10 } :: else -> break od }
