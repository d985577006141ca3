/* spin: 73 states, 112 transitions, depth 13, 0 errors */
byte x, y;
active proctype P() { again: { do :: x < 2 -> x++ :: else -> break od; y = 1 } unless { y == 2 -> y = 3; goto again }; x = 9 }
active proctype Q() { y = 2; x = 0 }
