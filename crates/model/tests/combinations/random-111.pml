/* spin: 50 states, 191 transitions, depth 11, 50 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [1] of { byte };
chan c1 = [2] of { bit };
active proctype P0() { byte l0; do :: b0 = ((s0 - 2)) % 2 :: empty(c0); g0 = 2; c0??eval(a[1]) od; c0??eval(l0); { if :: true :: c0?b0 :: c0!(g1) & 1 fi; a[0]--; g1 = 1 } unless { s0 >= 2; b0 = (len(c1)) % 3 } }
active proctype P1() { byte l0; c0!((l0 > 0 -> (0 << 3) : (2 & 1))) & 1; do :: skip -> break :: else -> break od; b0 = (_nr_pr) % 3; c1!(_pid) & 1 }
active proctype P2() { byte l0; do :: !(a[b0] == 1) :: assert(c1?[0]) od; a[1] = ((2 & 2)) % 3 }
proctype W(byte k) { byte l0; atomic { { s0 = 2; if :: printf("x") :: l0 = (g1) % 3; true :: k-- :: else -> l0 = (a[0]) % 3 fi; a[1] >= 2 } unless { g1 <= 0; skip }; g0 = 1; do :: nfull(c1); g0++ :: g0 != 2; l0 = (0) % 3; (s0 <= 0) || (l0 < 1) od }; do :: c0!(b0) & 1 :: break :: else -> d_step { c0?k; g1 = (1) % 2 } od }
