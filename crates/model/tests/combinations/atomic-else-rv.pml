/* spin: 13 states, 19 transitions, depth 15, 0 errors */
chan c = [0] of { byte }; byte x;
active [2] proctype P() { atomic { if :: c!_pid -> x++ :: else -> x = x + 3 fi; x++ } }
active proctype Q() { byte v; atomic { x > 0 -> if :: c?v -> x = v :: else -> skip fi } }
