/* spin: 547 states, 1184 transitions, depth 48, 23 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
chan c0 = [0] of { byte };
chan c1 = [2] of { mtype };
active proctype P0() { byte l0; if :: true -> c1!(s0) & 1; for (l0 : 0 .. 1) { c0!(((2 * 1) << 2)) & 1 } :: s0 = (((0 % 1) | 2)) % 2; do :: l0 = (l0) % 2 -> s0 = (g1) % 3; d_step { l0 > 0; g1 = (1) % 3 } :: if :: break :: c0??_ :: c0?g0 fi :: b0 < 1 -> { c0!(s0) & 1; g0 = (0) % 2 } unless { l0 != 1; b0 = ((l0 > 0 -> l0 : l0)) % 3 }; if :: true; c1?g1; printf("x") :: g1 == 2 -> break fi od; g1 < 2 :: g0 == 1 -> true; d_step { g1 < 0; true; if :: g1 != 2; g1 = ((l0 ^ 1)) % 3 :: g1 > 1 -> g1 = 0; g1-- :: printf("x"); assert(l0 <= 0) :: else -> g0 = (3) % 3 fi } fi; assert(g1 != 2); do :: b0 != 1; l0 = ((((1 - 2) ^ 2) * 2)) % 3 :: break :: else od; g0 = (1) % 3 }
active proctype P1() { byte l0; g1++; L0: { if :: c1??[_] :: do :: g0 = (1) % 3; s0 = 1; b0 = ((len(c1) & 1)) % 3 :: g0 >= 1; c1?eval(g0); skip :: printf("x") od -> if :: g0 = 1; printf("x"); b0 = (b0) % 2 fi; for (l0 : 0 .. 1) { b0 = (l0) % 3 } :: g0 > 0; do :: c1?eval(b0) :: break :: else od fi } unless { c0!((g1 * 2)) & 1; b0 = (_nr_pr) % 3 }; if :: c0?g1 -> goto L0 fi }
proctype W(byte k) { byte l0; { do :: true; b0 = 1 od; c0?0 } unless { skip; k = (3) % 2 } }
