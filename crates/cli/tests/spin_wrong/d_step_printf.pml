/* S waits for ever at its send, with g == 1. Spin takes R's d_step, which opens with printf, for the
 * other side of the handshake, and never stores that state. */
chan c = [0] of { byte };
byte g;
active proctype S() { atomic { g = 1; c!1 } }
active proctype R() { do :: d_step { printf("R\n"); g = 0 } od }
active proctype W() { (g == 1); assert(false) }
