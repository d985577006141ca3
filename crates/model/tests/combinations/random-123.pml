/* spin: 962 states, 2787 transitions, depth 17, 57 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
chan c0 = [0] of { byte };
chan c1 = [2] of { bit };
active proctype P0() { byte l0; run W((3 ^ 3)); run W(1); { for (l0 : 0 .. 1) { if :: l0 = 0 :: c1!!((len(c1) << 3)) & 1 -> l0 = (t.h) % 3 fi }; a[0]-- } unless { true; l0 = 2 } }
active proctype P1() { byte l0; g0 = (t.f) % 2; g1++; t.f--; c1??_ }
active proctype P2() { byte l0; assert(t.f <= 1); c1!(t.u) & 1 }
proctype W(byte k) { byte l0; g0 = 2 }
