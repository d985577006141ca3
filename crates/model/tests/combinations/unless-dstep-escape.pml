/* spin: 40 states, 61 transitions, depth 14, 0 errors */
byte x, y;
active proctype P() { do :: x < 5 -> x++ :: else -> break od unless { d_step { y == 1 -> x = 9; y = 2 } } }
active proctype Q() { y = 1 }
