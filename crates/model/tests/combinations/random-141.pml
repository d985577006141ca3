/* spin: 48 states, 101 transitions, depth 7, 5 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
chan c0 = [0] of { byte };
chan c1 = [2] of { bit };
active proctype P0() { byte l0; t.f = ((l0 > 0 -> t.u : l0)) % 3; skip; do :: t.v[b0] = (t.f) % 2; skip :: g0 < 2 -> break :: do :: t.v[b0] != 1 -> c0??l0; l0 = (g1) % 3 :: b0 == 0 od -> l0 = (t.f) % 3; { skip; true } unless { s0 = ((b0 | 3)) % 3; if :: break :: c0!((t.f | 3)) & 1 -> b0 = (2) % 2 :: else -> l0 = (b0) % 2 fi } od }
active proctype P1() provided (g0 < 2) { byte l0 = 0; l0 = (_nr_pr) % 2; c1?t.u }
active proctype P2() { byte l0; t.f++; c0?0 }
proctype W(byte k) { byte l0; assert(nempty(c1)) }
