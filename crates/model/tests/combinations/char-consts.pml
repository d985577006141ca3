/* spin: 4 states, 4 transitions, depth 3, 0 errors */
byte c = 'A'; byte d = '\n'; byte e = '0';
init { assert(c == 65 && e == 48); assert(d == 10) }
