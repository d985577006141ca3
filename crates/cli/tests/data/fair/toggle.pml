/* Two processes that have nothing to do with each other. */
bit x, y;
active proctype A() { do :: x = 1 - x od }
active proctype B() { do :: y = 1 - y od }
ltl again { [] <> (y == 1) }
