/* spin: 82 states, 165 transitions, depth 11, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [0] of { byte };
chan c1 = [1] of { bit };
proctype W(byte k) { byte l0; bit l1; do :: c1!(len(c0)) & 1; s0++ :: c1!(1) & 1 -> break od }
active proctype P0() { byte l0 = 2; if :: g0-- :: c0??1; if :: c1!(l0) & 1 -> c0!(s0) & 1 :: g1 = (len(c0)) % 3 -> atomic { s0++; s0 >= 2 }; c1!(((1 | 3) - 2)) & 1 :: c1!!((g0 > 0 -> (l0 > 0 -> 1 : 0) : len(c1))) & 1 -> atomic { g1 = 2; assert(l0 <= 0); c0?_ } :: else -> if :: assert(b0 <= 0) -> s0 = 0; g1 = (3) % 2 :: s0 >= 0 fi fi fi; b0 = (g1) % 2 }
active [2] proctype P1() { byte l0; if :: l0 = (s0) % 3 fi; g1 = 1; b0 = (0) % 3 }
