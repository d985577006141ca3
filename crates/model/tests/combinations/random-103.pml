/* spin: 47 states, 74 transitions, depth 12, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
unsigned w : 3;
chan c0 = [2] of { byte };
chan c1 = [2] of { byte };
active proctype P0() { byte l0; bit l1; b0 = ((t.v[b0] > 0 -> (t.f > 0 -> 1 : 1) : t.v[b0])) % 3; atomic { t.u = 2; g0 = (l0) % 2; w = (g1) % 2 }; t.v[b0] = ((l0 > 0 -> (g1 > 0 -> 0 : l0) : (t.v[b0] & 1))) % 3; c0!(t.u) & 1 }
active proctype P1() { byte l0 = 1; { w-- } unless { g1 == 2; d_step { b0 = 1; g0 = (t.h) % 2; w = 2 } }; g0 = (t.h) % 2; true; if :: c0!(g0) & 1 :: else -> c1?t.u fi }
proctype W(byte k) { byte l0; { c1!!(t.f) & 1 } unless { c0?<1>; atomic { atomic { k = (0) % 3 }; atomic { k = 1; g1 = 0; w = (t.u) % 3 }; b0 = 2 } }; { for (l0 : 0 .. 1) { if :: l0 < 0 :: b0 = ((2 << 2)) % 2 :: else -> w = (((w > 0 -> 2 : 0) << 3)) % 3 fi }; g1++; c0?<t.h> } unless { ((s0 == 0) || (t.h <= 0)) && (nfull(c0)); if :: c1!(w) & 1; c1??g1; true :: g1 != 2; if :: c1!!(t.u) & 1; b0 == 0; b0 = 0 :: k == 2; g0 <= 1; t.v[b0] = ((s0 > 0 -> t.v[b0] : w)) % 3 fi :: t.f >= 2; (timeout && !(w == 1)) fi } }
