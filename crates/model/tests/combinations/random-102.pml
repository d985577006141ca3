/* spin: 155 states, 261 transitions, depth 28, 6 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [0] of { byte, byte };
chan c1 = [2] of { bit };
active proctype P0() { byte l0; do :: g1++ -> break :: g1 = (a[1]) % 3 -> a[1] = 0; { a[0] = (_pid) % 3 } unless { skip; if :: c1!((s0 & 3)) & 1 -> g1 = 2; s0 = 0 :: s0 != 0 -> g0 = (a[1]) % 3 fi } :: else -> l0 = (0) % 2 od; { skip; for (l0 : 0 .. 1) { for (l0 : 0 .. 1) { s0 = ((a[0] > 0 -> 0 : len(c1))) % 2 } }; atomic { do :: c0??g1,s0 :: else -> a[0]-- od; for (l0 : 0 .. 1) { true } } } unless { true; g1 = (l0) % 2 }; run W((2 - 3)); c0?s0,eval(a[0]) }
active proctype P1() { byte l0 = 1; b0 = ((g0 > 0 -> (g1 > 0 -> 3 : 0) : ((0 << 3) << 1))) % 3; do :: a[1] >= 2 -> b0 = (0) % 2 :: break :: a[0] > 1 -> { s0--; for (l0 : 0 .. 1) { g0 = ((0 ^ 2)) % 2 }; do :: b0 <= 0; g0 = 2 od } unless { c1?g0; c0?eval(g0),1 }; atomic { b0 = 1 } od; c1??_ }
proctype W(byte k) { byte l0; c1?0 }
