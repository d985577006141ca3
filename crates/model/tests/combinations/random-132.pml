/* spin: 91 states, 174 transitions, depth 10, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
chan c0 = [0] of { byte };
chan c1 = [1] of { byte };
active proctype P0() { byte l0 = 2; d_step { skip; true; g0 = ((_nr_pr * 2)) % 2 }; d_step { (s0 != 0) || (g1 <= 2); g0-- }; do :: g1 = (1) % 2 :: g0 > 2 -> g1 = 2; s0 = 0 od }
active proctype P1() { byte l0 = 1; { c0?_; for (l0 : 0 .. 1) { g0-- }; if :: !(l0 == 1) fi } unless { b0 >= 1; do :: g0 >= 0 -> break :: g0++ od }; if :: c0!(l0) & 1 -> s0-- :: else -> c1?_ fi; { do :: g1 != 1 :: g1 != 0 :: s0 = (3) % 2 od; skip; s0 = 2 } unless { g1 == 0; if :: b0 < 2 -> s0 = ((s0 % 3)) % 2 fi } }
active proctype P2() { byte l0; g0 = 1; s0 = (((g0 > 0 -> (2 + 3) : l0) - 2)) % 3 }
proctype W(byte k) { byte l0; bit l1; do :: b0 = (s0) % 2 -> break :: true; d_step { c1?k; l0 = 2 }; if :: g1 < 1 -> if :: true :: l1 != 0 -> c1?[0]; g1 != 2 :: s0 = 2 -> k = (l1) % 3; l1++ fi :: break :: (k <= 0) && (b0 >= 1) -> b0 = (1) % 2; k = 2 fi :: c1?g0; g1 != 2 od; c1??<0> }
