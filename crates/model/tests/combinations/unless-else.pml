/* spin: 51 states, 76 transitions, depth 8, 0 errors */
byte x, y;
active proctype P() { { if :: x == 1 -> y = 1 :: else -> y = 2 fi; y = 3 } unless { if :: x == 2 -> y = 9 :: x == 3 -> y = 8 fi } }
active proctype Q() { x = 1; x = 2; x = 3 }
