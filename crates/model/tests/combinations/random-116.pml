/* spin: 136 states, 321 transitions, depth 14, 23 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [2] of { byte, byte };
chan c1 = [1] of { byte };
active proctype P0() { byte l0 = 2; c0!(l0) & 1,(l0) & 1; l0 = ((s0 > 0 -> 0 : a[b0])) % 2; L0: if :: b0 != 1; do :: g0 != 1; g0 = 0 :: break :: else -> c1?1 od :: c0??1,1 -> c1?eval(s0) :: atomic { c0!!(g1) & 1,(2) & 1 } :: else -> l0 = (3) % 3 fi }
active proctype P1() { byte l0 = 1; g1 = (2) % 2; atomic { c1?s0; l0 = 0; g1 = (g1) % 3 }; s0 <= 2; progress0: if :: c0!!((a[b0] - 1)) & 1,((3 * 3)) & 1 :: g0 == 1 :: g1 != 1; s0--; a[b0] = (1) % 3 fi }
active proctype P2() { byte l0; do :: break :: b0 == 2; if :: g1 == 1; printf("x"); atomic { c1??<s0>; g1-- } :: else -> break fi; c0!!(((3 + 2) << 3)) & 1,(2) & 1 od; assert(((b0 > 0) && (s0 != 2)) || (g0 < 2)); if :: assert(g0 != 2) -> { g0 = 2; atomic { assert(g1 != 0) } } unless { s0 >= 2; d_step { true; g1 = (g0) % 3 } }; do :: c1??[0] :: b0 == 0 -> break :: else -> break od :: (((timeout && s0 >= 1)) && (g0 < 1)) || ((a[0] >= 1) && ((timeout && s0 <= 1))) :: c1??[1]; c0!(3) & 1,(len(c1)) & 1 fi }
proctype W(byte k) { byte l0; b0 = 0 }
