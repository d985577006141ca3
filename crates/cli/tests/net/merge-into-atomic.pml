/*
 * net: expect violated: ltl [] !(a == 1 && b == 0)
 * Merging passed through `x = 1`, which begins an atomic sequence, and so through all of it.
 */
byte a, b;
active proctype A() { byte x; a = 1; atomic { x = 1; b = 1 } }
