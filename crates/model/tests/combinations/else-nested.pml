/* spin: 67 states, 108 transitions, depth 13, 0 errors */
byte x;
active proctype P() { do :: if :: x < 2 -> x++ :: else -> if :: x == 2 -> x = 5 :: else -> break fi fi :: x == 1 -> x = 3 od }
active proctype Q() { if :: x == 5 :: else fi; x = 0 }
