/* spin: 39 states, 50 transitions, depth 11, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
chan c0 = [0] of { byte };
chan c1 = [2] of { byte };
proctype W(byte k) { byte l0; bit l1; atomic { do :: t.h = ((((0 + 2) + 1) | 3)) % 2 -> g0 = 0; t.h = 2 :: else -> break od; atomic { { g1 = ((g0 + 2)) % 3; k = (l0) % 3 } unless { t.f++; t.v[b0] = ((a[0] > 0 -> 3 : _pid)) % 3 } }; s0 >= 1 }; g0 = (_pid) % 2 }
active proctype P0() { byte l0 = 1; b0 = ((t.h + 1)) % 2; end0: c0!(_pid) & 1 }
active proctype P1() { byte l0; { l0 = (l0) % 3; d_step { true; t.u = (((t.u - 2) % 2)) % 2; printf("x") }; l0 <= 2 } unless { t.h--; t.h = (2) % 2 }; do :: (t.h <= 2) || (a[0] <= 2); t.f = ((b0 > 0 -> t.f : _pid)) % 2 :: break :: else -> g0 = (g0) % 3 od; t.v[b0] = 2 }
