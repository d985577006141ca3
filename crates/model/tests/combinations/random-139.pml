/* spin: 32 states, 51 transitions, depth 8, 11 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
chan c0 = [0] of { byte, byte };
chan c1 = [0] of { bit };
proctype W(byte k) { byte l0; if :: c1??1 :: c1!(g0) & 1; if :: c0?_,g0 :: b0 == 2 :: (s0 <= 0) && (k == 0) -> b0 = (l0) % 3 :: else -> atomic { k = ((2 | 1)) % 2; s0 = (b0) % 3 } fi; b0 = (1) % 3 :: else -> do :: g0 != 1 -> d_step { k > 2; l0 = 0 }; L0: g0 = ((k + 1)) % 3 :: c0!((_nr_pr << 2)) & 1,(2) & 1; g1 = 0 :: c1?g0 od fi; if :: (timeout && l0 >= 1); true; c1??s0 fi }
active proctype P0() { byte l0; { if :: b0 = ((b0 - 3)) % 3 -> if :: c0??l0,g0; l0 = 0 :: s0 == 2 -> g1 = (3) % 3; b0 = (2) % 3 fi :: c0??0,1; s0 = 1 :: l0 >= 1 -> do :: g1++ -> break :: c1!(3) & 1 -> s0 = 2 :: else -> run W((1 % 1)) od fi } unless { g1 == 2; atomic { printf("x"); l0 = (2) % 3; printf("x") } }; c0?eval(l0),g0 }
active proctype P1() { byte l0; if :: d_step { assert(g0 > 2); b0 = 2; g1 = 2 } fi; c0??s0,_; { for (l0 : 0 .. 1) { for (l0 : 0 .. 1) { c0!(0) & 1,(l0) & 1 } }; atomic { if :: b0 > 0 :: (g0 > 1) || (g0 > 1) -> g0 = 1 :: else -> g0 = ((2 % 2)) % 3 fi; assert(g1 != 2); assert(l0 == 2) } } unless { g1 <= 0; c0??_,0 } }
active proctype P2() { byte l0 = 1; g0 = 2; g1 = (_nr_pr) % 2 }
