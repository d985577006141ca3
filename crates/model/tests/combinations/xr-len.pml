/* spin: 70 states, 122 transitions, depth 11, 2 errors */
chan c = [2] of { byte }; byte x;
active proctype P() { xr c; c?x; c?x }
active proctype Q() { xs c; c!2; c!3; full(c) || empty(c) }
active proctype R() { empty(c); x = len(c); c?[2] }
