/* spin: 16 states, 23 transitions, depth 17, 0 errors */
byte x, y;
active [2] proctype P() { atomic { x++; atomic { y++; x++ }; d_step { y = y + x; x = 0 }; if :: y > 3 -> y = 0 :: else fi } ; x = 1 }
