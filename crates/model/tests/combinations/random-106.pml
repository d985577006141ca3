/* spin: 3152 states, 8191 transitions, depth 93, 68 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
unsigned w : 3;
chan c0 = [1] of { byte, byte };
chan c1 = [1] of { byte };
active proctype P0() { byte l0; b0 = (b0) % 2; g0 = (2) % 3 }
active proctype P1() { byte l0 = 0; l0 = (2) % 2; if :: s0 <= 1; do :: w-- -> skip :: do :: c1!(((1 | 1) + 2)) & 1 -> break :: l0 != 2; c1?_ od; true od; progress0: c1!(l0) & 1 :: l0 < 0; d_step { full(c1); g0 = (3) % 3; g1 = (g0) % 3 }; L1: l0 = (0) % 2 :: c1!!(w) & 1 -> l0 = (l0) % 3 fi }
active proctype P2() { byte l0; bit l1; c1?g0; if :: d_step { b0 = (0) % 3; true; l0 = (((w - 3) & 3)) % 3 } -> nfull(c0); g0 = (0) % 3 :: l0 != 2 :: else fi; c0?eval(w),g0; c1!(((3 + 1) ^ 1)) & 1 }
proctype W(byte k) { byte l0; assert(g1 < 0) }
