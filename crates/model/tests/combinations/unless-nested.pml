/* spin: 46 states, 73 transitions, depth 7, 0 errors */
byte x, y, z;
active proctype P() { { { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 10; x = 11 } } unless { z == 1 -> x = 20 } ; x = 30 }
active proctype Q() { y = 1; z = 1 }
