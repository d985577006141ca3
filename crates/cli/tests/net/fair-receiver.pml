/*
 * net: expect violated: fair=spin ltl <> (n == 1)
 * net: expect holds: fair=strong ltl <> (n == 1)
 * Who waits for a message is able to move while somebody offers one.
 */
byte n, a;
chan c = [0] of { byte };
active proctype S() { do :: c!0 :: a = 1 - a od }
active proctype R() { byte x; do :: c?x -> n = 1 - n od }
