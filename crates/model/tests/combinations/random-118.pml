/* spin: 96 states, 185 transitions, depth 16, 2 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [2] of { byte };
chan c1 = [2] of { bit };
active proctype P0() { byte l0; if :: run W((1 | 2)); atomic { if :: true fi } :: c1!!(g1) & 1 fi; atomic { d_step { a[0] == 2; a[0] = ((b0 > 0 -> ((a[0] > 0 -> 1 : 2) + 1) : g0)) % 3 }; a[0] = (3) % 3; for (l0 : 0 .. 1) { if :: s0 <= 0 -> g0 = (_nr_pr) % 3; true :: !(g1 == 1) -> g0 = 1; c0!((s0 << 1)) & 1 :: c1??a[0]; c0?b0 :: else -> c0!(0) & 1 fi } }; atomic { c0!!(((0 - 1) ^ 1)) & 1 }; { d_step { b0 <= 2; b0 = ((_pid + 2)) % 3; skip }; d_step { g1 == 1; b0 = (3) % 2; a[0] = (b0) % 2 }; if :: c1?b0 -> d_step { c1?1; s0 = 1; l0 = ((b0 + 2)) % 2 } :: s0 = (s0) % 2 -> if :: s0 == 0 -> l0 = (len(c0)) % 3 fi :: c1?_ fi } unless { c0!(l0) & 1; l0 = ((2 % 2)) % 3 } }
active proctype P1() { byte l0 = 2; a[1] = (((a[0] > 0 -> (g0 > 0 -> 3 : 3) : (1 * 2)) & 2)) % 3; L0: d_step { printf("x"); true } }
proctype W(byte k) { byte l0 = 2; s0 = (1) % 2; for (l0 : 0 .. 1) { c1!(a[b0]) & 1 } }
