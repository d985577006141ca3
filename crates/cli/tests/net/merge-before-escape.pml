/*
 * net: expect violated: assertions
 * The escape goes first if Q waits; merging hid the state in which Q does not wait yet.
 */
byte y;
chan c = [0] of { byte };
active proctype P() { (y == 1); { assert(false) } unless { c!1 } }
active proctype Q() { byte x, z; y = 1; x = 1; c?z }
