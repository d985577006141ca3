/* spin: 71 states, 113 transitions, depth 18, 10 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
chan c0 = [0] of { byte };
chan c1 = [1] of { mtype };
proctype W(byte k) { byte l0 = 0; assert(g1 < 1); if :: g1 = 1 :: else -> d_step { g0 != 2; l0 = (l0) % 2 } fi }
active proctype P0() { byte l0; run W(b0); if :: if :: assert(l0 <= 1) :: g1 >= 1; atomic { c0?eval(t.v[b0]); skip; t.f = (g0) % 2 } fi -> run W(t.f) :: else -> if :: t.v[b0] <= 2; t.u = (s0) % 2; t.u++ :: t.v[b0] > 1; c0??t.h; { t.h <= 0; c1!(g1) & 1; s0 = 0 } unless { g0 > 0; t.u = 0 } fi fi }
active proctype P1() { byte l0 = 0; c0!(t.u) & 1; if :: t.u < 1 :: else -> c0?t.v[b0] fi; g1 != 0; g1 = (t.f) % 3 }
