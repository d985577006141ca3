/* spin: 3512 states, 11202 transitions, depth 69, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
unsigned w : 3;
chan c0 = [1] of { byte, byte };
chan c1 = [1] of { byte };
active proctype P0() { byte l0; g1 = (b0) % 3; do :: do :: true; g1 = 1; for (l0 : 0 .. 1) { printf("x") } :: else -> c0?eval(a[1]),0 od -> c1!(_pid) & 1; g0 = 2 :: true; do :: s0 >= 0 -> b0++ :: printf("x") od; w = (b0) % 3 od; end0: g1 = 0; g1 = (2) % 2 }
active proctype P1() { byte l0; g1 = (a[0]) % 3; a[0] = (3) % 3; do :: g0 = ((s0 > 0 -> s0 : ((0 - 1) + 2))) % 3 :: l0 = ((1 + 1)) % 3; do :: g0 = 2; if :: w = 1 -> printf("x"); s0 = (1) % 3 :: (timeout && g1 != 1) -> s0 = ((_nr_pr - 1)) % 3; l0 = 0 fi :: b0 <= 0 :: g1 > 2 -> break od :: else -> break od }
active proctype P2() { byte l0 = 2; if :: w >= 0 -> c1!(3) & 1 :: c0!(g0) & 1,(2) & 1; d_step { g0 > 2; w = (1) % 2; g0 = ((a[b0] & 2)) % 3 } fi; { c0?<w,g1> } unless { s0 = 2; atomic { skip; g0++ } } }
proctype W(byte k) { byte l0; do :: c1!(((3 | 2) | 1)) & 1; l0 = 1 :: s0 < 2; s0 = 2; k-- od; l0 = 0 }
