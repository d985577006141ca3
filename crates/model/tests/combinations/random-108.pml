/* spin: 22 states, 32 transitions, depth 11, 1 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
unsigned w : 3;
chan c0 = [0] of { byte };
chan c1 = [0] of { byte };
active proctype P0() { byte l0 = 2; s0 = 2; if :: c1??1 :: else -> for (l0 : 0 .. 1) { g0 = 2 } fi }
active proctype P1() { byte l0; bit l1; atomic { g1-- }; d_step { g1 == 2; b0-- }; do :: c1??1; g1 = 2 :: d_step { true; g1 = (0) % 2; s0 = 1 } -> break od }
proctype W(byte k) { byte l0 = 2; g0 = 0; assert((g0 > 1) && (s0 <= 0)) }
