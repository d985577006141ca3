/*
 * net: expect violated: assertions
 * net: expect violated: ltl <> (n == 2)
 * net: expect holds: fair=strong ltl <> (n == 2)
 * Whether the send can be done depends on `a`, which only the clause of the receiver reads.
 */
byte a, n;
chan c = [0] of { byte };
active proctype S() { do :: c!1 od }
active proctype R() provided (a == 1) { byte x; do :: c?x -> atomic { n = (n + 1) % 3; assert(n != 2) } od }
active proctype T() { do :: a = 1 - a od }
