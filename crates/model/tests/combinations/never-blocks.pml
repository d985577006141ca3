/* spin: 10 states, 13 transitions, depth 7, 0 errors */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
never { T0: if :: x < 2 -> goto T0 :: x == 2 -> goto accept fi; accept: x == 3 }
