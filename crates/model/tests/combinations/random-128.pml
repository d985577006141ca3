/* spin: 54 states, 118 transitions, depth 7, 29 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
typedef T { byte f; bit h; unsigned u : 2; byte v[2] };
T t;
unsigned w : 3;
chan c0 = [2] of { byte, byte };
chan c1 = [0] of { mtype };
proctype W(byte k) { byte l0 = 0; skip }
active proctype P0() { byte l0; run W((2 % 3)); progress0: g0++; progress1: c1?eval(t.v[b0]); do :: a[1] > 1 :: t.f = ((2 | 1)) % 2 od }
active proctype P1() { byte l0; g0 = 2; t.h = (t.h) % 3 }
active proctype P2() { byte l0 = 2; assert(w >= 1); c1?1; a[0] = 1; t.v[b0] = (0) % 3 }
