/*
 * net: expect violated: assertions
 * net: expect holds: ltl [] (n < 3)
 * The second message of one kind after the other is the first that the trace objects to.
 */
byte n;
chan q = [2] of { byte };
trace { do :: q!1; q!2 od }
active proctype S() { do :: n < 2 -> q!1; n++ :: n < 2 -> q!2; n++ od }
active proctype R() { byte x; do :: q?x -> n = (n > 1 -> 0 : n) od }
