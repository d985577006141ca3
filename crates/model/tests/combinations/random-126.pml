/* spin: 3087 states, 5650 transitions, depth 518, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [0] of { byte, byte };
chan c1 = [1] of { mtype };
proctype W(byte k) { byte l0; s0 = ((3 | 1)) % 2; c0!((g0 & 2)) & 1,(len(c1)) & 1 }
active proctype P0() { byte l0 = 0; s0 = 2; true; g0 = ((l0 > 0 -> (len(c0) + 3) : (g0 > 0 -> 2 : a[1]))) % 3; do :: c0?s0,0; s0 = ((s0 > 0 -> (a[0] > 0 -> 3 : a[b0]) : (g1 > 0 -> (0 + 2) : b0))) % 3; c0!(3) & 1,(a[b0]) & 1 :: c1!(0) & 1 -> do :: a[0] <= 1 -> do :: s0 > 2; a[0] = 0 :: g1-- -> l0 = (b0) % 3 :: break od od od }
active proctype P1() provided (_pid != g1) { byte l0; bit l1; l0 = 1; s0 = (_pid) % 3; c1?eval(s0); atomic { do :: c1!(g0) & 1; s0 = ((0 + 1)) % 2; do :: skip; true :: c1??1 -> g0 = (((g1 << 3) & 2)) % 2; L0: l1 = 1 :: g1 < 1 -> l0 = (b0) % 3 od :: (l0 == 2) && (g1 != 0); if :: g1 < 2 -> (b0 >= 2) || (l0 != 1); c1?<0> fi; if :: (l0 != 2) && (g1 >= 0); l1 = 2; c1!(_pid) & 1 :: l0 >= 1 :: printf("x") fi :: else -> l0 = 1 od } }
active proctype P2() { byte l0; full(c0); g0 = (_nr_pr) % 3; atomic { if :: g1 = ((l0 << 1)) % 2; b0 <= 1; if :: (timeout && (s0 <= 0) || ((b0 == 2) && (g0 >= 2))) -> b0 = (1) % 3 :: g1 != 0 fi :: else -> if :: l0 = (s0) % 3 :: c1!!(0) & 1 -> g0 = (l0) % 3; true :: g0 == 1 fi fi }; l0 = (0) % 2 }
