/* spin: 49 states, 70 transitions, depth 20, 0 errors */
byte x;
active proctype P() { do :: _last == 1 -> x = (x + 1) % 3 :: _last == 0 -> break od }
active proctype Q() { do :: x < 2 -> skip :: else -> break od }
