/*
 * net: expect holds: exists ([] <> (P0:x == 0)) -> false
 * net: messages are lost
 * verdicts differ (seed 16836161867980068218)
 * lariat check --shortcuts none --interpret --plan-after 4 --no-remembered-steps --no-remembered-propositions --no-por --numbered --threads 1 --edge-cache 0 --lose-messages --exists '([] <> (P0:x == 0)) -> false' MODEL
 *   holds, 9 states, 10 steps
 * lariat check --shortcuts none --interpret --plan-after 4 --no-remembered-steps --no-remembered-propositions --no-por --set-after 5 --threads 1 --edge-cache 0 --lose-messages --exists '([] <> (P0:x == 0)) -> false' MODEL
 *   violated
 */
byte a;
byte b;
active proctype P0() provided (a != 1 || b == 1) {
  byte x;
  x = (x + 1) % 2;
}
active proctype E() {
  do
    ::
      a = (a + 1) % 2;
    b = (b + 1) % 2;
  od;
}
