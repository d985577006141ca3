/*
 * net: expect violated: ltl [] (T[1]:t == 0)
 * Process 1 is no T: the reference reads behind its frame, where L's variable u lies. Valuations
 * were remembered by the words of processes of type T.
 */
byte a, k;
proctype S() { end: false }
proctype L() { byte u; do :: k = (k + 1) % 20 :: k > 15 -> u = 1; a = 1 - a; u = 0; a = 1 - a od }
proctype T() { byte p, q, r, s, t; end: false }
init { atomic { run S(); run L() } }
