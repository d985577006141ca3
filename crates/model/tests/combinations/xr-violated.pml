/* spin: 9 states, 10 transitions, depth 7, 0 errors */
chan c = [2] of { byte }; byte x;
active proctype P() { xr c; c?x }
active proctype Q() { c!2; c!3; len(c) == 1; c?x }
