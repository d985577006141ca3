/* spin: 18 states, 26 transitions, depth 9, 0 errors */
byte x, y;
active proctype P() { atomic { { x = 1; y == 1; x = 2 } unless { y == 2 -> x = 3 } ; x = x + 5 } }
active proctype Q() { if :: y = 1 :: y = 2 fi; y = 2 }
