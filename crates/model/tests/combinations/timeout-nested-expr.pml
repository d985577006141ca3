/* spin: 7 states, 8 transitions, depth 3, 1 errors */
byte x;
active proctype P() { do :: x < 2 && timeout -> x++ :: x == 2 -> break od }
active proctype Q() { if :: timeout || x == 1 -> x = 5 fi }
