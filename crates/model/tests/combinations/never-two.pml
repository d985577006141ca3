/* spin: 3 states, 3 transitions, depth 2, 0 errors */
byte x;
active proctype P() { x = 1 }
never n1 { do :: x == 0 od }
never n2 { do :: x == 1 od }
