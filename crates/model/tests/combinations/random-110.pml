/* spin: 110 states, 230 transitions, depth 14, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
unsigned w : 3;
chan c0 = [2] of { byte };
chan c1 = [2] of { bit };
active proctype P0() { byte l0; atomic { g0 = 1 }; run W(_nr_pr); s0 = (g1) % 3; L0: atomic { d_step { g0 > 1; a[1] = 1 }; b0 > 0 } }
active proctype P1() { byte l0 = 0; bit l1; l0 = ((g0 & 3)) % 2; if :: w = 1 :: s0 >= 2 fi; w = (0) % 3; do :: b0 > 1 :: else -> g1 = (((1 & 3) * 2)) % 3 od }
proctype W(byte k) { byte l0; l0 = (l0) % 3 }
