/* Some 4 billion states: more than any test waits for. */
byte a, b, c, d;

active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
active proctype D() { do :: d++ od }
