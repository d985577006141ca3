/* spin: 34 states, 64 transitions, depth 9, 4 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [0] of { byte, byte };
chan c1 = [0] of { mtype };
active proctype P0() { byte l0; do :: (timeout && g0 < 0) :: c1?1; { do :: (g1 < 1) && (g1 != 1) -> break :: (full(c0)) || (s0 < 0) -> c1!(_pid) & 1 :: c1??_ -> c0?eval(g0),0 :: else -> c0!(_nr_pr) & 1,(1) & 1 od } unless { c1!((g1 | 2)) & 1; g0 == 0 }; do :: break :: (g1 <= 0) && ((s0 != 0) && ((s0 != 0) || (b0 >= 1))) -> break :: s0 < 1 -> c0?1,1; l0 = (b0) % 2 :: else -> atomic { c0?s0,l0; run W(0) } od :: a[1] = 2; b0 = ((g0 + 2)) % 3 :: else -> break od; g1 = (l0) % 2 }
active proctype P1() { byte l0; bit l1; if :: a[b0] == 0; printf("x") :: (l0 >= 0) || (l0 == 2) -> a[1] = 2 fi; c1!(((2 + 2) % 3)) & 1 }
proctype W(byte k) { byte l0 = 1; bit l1; atomic { d_step { printf("x"); g0 = ((l0 > 0 -> len(c0) : ((1 * 3) | 1))) % 3 }; l1 = (_nr_pr) % 3 } }
