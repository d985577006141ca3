/* spin: 1489 states, 3513 transitions, depth 18, 138 errors */
byte x;
active [3] proctype P() { byte t; t = x; t++; x = t; assert(x > 0); assert(_pid < 2 || x != 2) }
