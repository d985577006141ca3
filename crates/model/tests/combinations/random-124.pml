/* spin: 74 states, 170 transitions, depth 9, 2 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
chan c0 = [2] of { byte };
chan c1 = [1] of { byte };
active proctype P0() { byte l0 = 0; bit l1; g1 = (s0) % 2; run W(l1); do :: break :: g1 < 1 od }
active proctype P1() { byte l0; { g0 = 2; do :: g1 != 0 -> break :: b0 >= 2 od } unless { c1?<_>; skip }; c0?_ }
active proctype P2() { byte l0; if :: assert(g1 != 2) :: else -> c0!!(3) & 1 fi; L0: c0?eval(s0); L1: (timeout && g0 != 1); g1 = (b0) % 3 }
proctype W(byte k) { byte l0; d_step { b0 <= 0; true }; g0-- }
