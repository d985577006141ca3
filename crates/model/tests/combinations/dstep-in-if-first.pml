/* spin: 7 states, 9 transitions, depth 4, 0 errors */
byte x;
active [2] proctype P() { if :: d_step { x == 0 -> x = 1 } :: d_step { x > 0 -> x = x + 2; x++ } :: atomic { x == 4 -> x = 0; x = 9 } fi }
