byte x;
active proctype Up() { x++; x++; assert(x != 2) }
