/* spin: 10 states, 13 transitions, depth 7, 0 errors */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
ltl p1 { [] (x <= 3) }
ltl p2 { <> (x == 3) }
