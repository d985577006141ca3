/* spin: 19 states, 26 transitions, depth 7, 0 errors */
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
active proctype Q() { do :: pc_value(0) > 1 -> x = 9; break :: else od }
