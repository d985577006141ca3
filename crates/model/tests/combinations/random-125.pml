/* spin: 152 states, 293 transitions, depth 16, 0 errors */
mtype = { m1, m2, m3 };
byte g0, g1; bit b0; short s0 = -1;
byte a[2];
chan c0 = [1] of { byte, byte };
chan c1 = [0] of { bit };
active proctype P0() { byte l0 = 1; g1 = ((l0 > 0 -> (1 + 1) : 0)) % 3; g1 = 1; s0 = (l0) % 2; if :: c1??b0; c0!(len(c0)) & 1,((g1 ^ 3)) & 1; g1 = 0 :: c1!(b0) & 1; { c0!(b0) & 1,(0) & 1; for (l0 : 0 .. 1) { l0-- }; c0?0,eval(l0) } unless { g0 == 1; atomic { a[0] = (0) % 2 } }; d_step { s0 = 2; g1-- } fi }
active proctype P1() { byte l0; s0 = (0) % 2; d_step { s0--; s0 = (a[0]) % 2 }; c1!(g0) & 1; c0??<g1,a[1]> }
active proctype P2() { byte l0; a[0] = (0) % 3; if :: (b0 >= 1) || (a[1] == 0) fi; g0 = 1 }
proctype W(byte k) { byte l0; c1!((2 & 3)) & 1; c0??<_,_> }
