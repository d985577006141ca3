/* spin: 9 states, 13 transitions, depth 5, 0 errors */
chan c = [1] of { byte };
active proctype P() { xs c; do :: c!1 :: c!2 od }
active proctype Q() { xr c; byte x; do :: c?x od }
