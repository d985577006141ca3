/* spin: 26 states, 41 transitions, depth 7, 2 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
chan c0 = [0] of { byte };
chan c1 = [1] of { byte };
active proctype P0() { byte l0 = 0; b0 = 1; b0 = (_pid) % 3; end0: d_step { s0 == 1; l0++; b0 = (1) % 3 } }
active proctype P1() { byte l0; d_step { g1 = (0) % 2; if :: true :: ((!(g1 == 1)) && ((timeout && l0 > 0))) && (g1 != 1); b0++; g0 = 1 :: g1 == 0 :: else -> b0 = (b0) % 3 fi }; b0 = 1; do :: g0 != 1 -> c0!(2) & 1; b0 = (b0) % 2 :: break :: (l0 == 0) || ((timeout && l0 != 1)) :: else -> break od; do :: c1?g0 -> c0!(((g1 > 0 -> 1 : 0) + 3)) & 1 :: (g1 == 2) && (l0 != 2) :: break od }
proctype W(byte k) { byte l0; c0?1; c1?s0 }
