/*
 * net: expect violated: never never {\naccept0:\n  do\n  :: (true) -> goto T1\n  od;\nT1:\n  do\n  :: (!(r.x != 0)) -> goto accept0\n  od;\n}\n
 * net: messages are lost
 * verdicts differ (seed 862896617229771478)
 * lariat check --shortcuts none --interpret --plan-after 4 --no-remembered-steps --no-remembered-propositions --no-por --set-after 5 --threads 1 --edge-cache 0 --lose-messages --never never1.pml MODEL
 *   violated
 * lariat check --shortcuts none --interpret --plan-after 4 --no-remembered-steps --no-remembered-propositions --no-por --set-after 5 --threads 1 --edge-cache 0 --elimination --lose-messages --never never1.pml MODEL
 *   holds, 8 states, 10 steps
 */
typedef R { byte x; bit y };
R r;
byte g1;
active proctype P0() {
  skip;
}
active proctype P1() {
  g1 = 4;
}
