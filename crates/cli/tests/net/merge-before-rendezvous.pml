/*
 * net: expect violated: ltl [] (a == 0)
 * Where P's atomic sequence stops depends on whether Q waits; merging hid that it does not yet.
 */
byte y, a;
chan c = [0] of { byte };
active proctype P() { atomic { (y == 1); a = 1; c!1 } }
active proctype Q() { byte x, z; y = 1; x = 1; atomic { c?z; a = 0 } }
