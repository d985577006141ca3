/* spin: 10 states, 13 transitions, depth 7, 0 errors */
byte x;
active proctype P() { do :: x < 3 -> progress1: x++ :: x > 0 -> accept1: x-- od }
