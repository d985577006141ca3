/*
 * net: expect violated: assertions
 * The state after `h = 1; a = 0` differs from the initial one in a hidden variable only.
 */
hidden byte h;
byte a;
active proctype P() { do :: h = 1 - h; a = 0 :: atomic { h == 1 -> a = 5; assert(false) } od }
