/* spin: 772 states, 1849 transitions, depth 141, 46 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
chan c0 = [0] of { byte };
chan c1 = [2] of { mtype };
proctype W(byte k) { byte l0 = 0; c0!(0) & 1; do :: g1 = (1) % 3; c0!((g0 + 1)) & 1 :: c1!(b0) & 1 -> break :: c1?_ -> t.h = (1) % 3; g0 = (b0) % 2 od }
active proctype P0() { byte l0; l0 = (s0) % 3; if :: l0 = (0) % 2; run W(3) :: c0?g1 :: { if :: c0?l0 -> c1?s0 fi; do :: t.h = (0) % 3; skip; s0 = 1 od; if :: c1!!(g0) & 1 :: c1!(((0 ^ 1) * 3)) & 1 -> c0?t.f; c1?0 :: l0 >= 2 -> t.u = (0) % 2 :: else fi } unless { s0 <= 0; d_step { true; t.v[b0] = (s0) % 3; g1 = (3) % 2 } } -> c1?t.v[b0] :: else -> b0 = 2 fi; t.h-- }
active proctype P1() { byte l0; { for (l0 : 0 .. 1) { if :: printf("x") :: else -> t.v[b0]-- fi }; if :: b0 > 2 -> do :: l0 >= 1; assert(g1 != 0) :: (t.u != 1) && (g1 != 0); c0!(((0 + 3) + 2)) & 1; L0: printf("x") od :: g1 = (1) % 2; c1!((g0 > 0 -> (2 * 3) : (0 << 3))) & 1 :: s0 = 2; d_step { c1??_; l0 = (2) % 3 } fi; if :: g0 != 0 -> s0 = 2; atomic { g0++ } fi } unless { g1 = 0; for (l0 : 0 .. 1) { c1?0 } }; if :: t.u = (l0) % 2 -> goto L0 :: t.u < 1; { s0 >= 0; c1!(2) & 1 } unless { t.f != 1; t.v[b0] = (((s0 * 2) & 3)) % 3 }; g0 = 0 fi; assert(g1 >= 2); do :: t.u >= 0 -> goto L0 :: break :: else -> b0 = 2 od }
active proctype P2() { byte l0 = 1; if :: do :: c0?_ :: c1!((_pid + 2)) & 1 :: g0 == 1; t.f = (((g1 > 0 -> g0 : (t.f > 0 -> 3 : 2)) ^ 2)) % 2 od; t.h = (l0) % 2 :: else fi; d_step { c1?1; t.u = (3) % 3 }; g0 = (_pid) % 2 }
