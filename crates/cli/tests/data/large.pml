/* Some 16 million states: more than a test should wait for. */
byte a, b, c;

active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
