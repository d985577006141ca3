/* spin: 9 states, 13 transitions, depth 6, 0 errors */
chan c = [2] of { byte }; byte x;
active proctype P() { do :: d_step { nfull(c); c!x; x = (x + 1) % 3 } od }
active proctype Q() { byte v; do :: d_step { c?v -> if :: v == 2 -> v = 7 :: else -> v = 0 fi; v = 0 } od }
