byte x;
active proctype Up() { x = 1; assert(false) }
ltl first { [] (x == 0) }
ltl second { [] (x < 1) }
