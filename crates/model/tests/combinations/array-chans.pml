/* spin: 55 states, 105 transitions, depth 16, 0 errors */
chan q[3] = [1] of { byte }; byte x;
active [3] proctype P() { byte v; if :: _pid == 0 -> q[0]!1 :: else fi; q[_pid]?v; q[(_pid + 1) % 3]!v + 1; x = x + v }
