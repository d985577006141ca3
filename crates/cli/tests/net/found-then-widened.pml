/*
 * net: expect violated: safety
 * Found by the net (seed 6794862724071054791). With --shortcuts none --set-after 5 a field gets a bit while states are expanded among which
 * one is in error: who went on had forgotten it, and safety held.
 */
mtype = { m1, m2 };
byte a;
byte b;
mtype m = m1;
chan q = [1] of { byte };
chan c = [0] of { byte };
byte g0;
byte g1;
active proctype P0() {
  byte x;
  byte i1;
  for (i1 : 0 .. 1) {
    run C(1, q);
  };
  do
    ::
      g0 = 4;
      skip;
      c?x;
    ::
      g0 = 8;
    ::
      q!0;
      m = m2;
  od;
}
active proctype P1() {
  q?eval(b);
  do
    ::
      {
        g1 = 3;
      } unless {
        a = (a + 1) % 2;
        g1 = 5;
      };
  od;
}
proctype C(byte x; chan z) {
  skip;
}
