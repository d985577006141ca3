/* spin: 18 states, 22 transitions, depth 6, 1 errors */
chan c = [2] of { byte }; byte x;
active proctype P() { xs c; c!1; c!3 }
active proctype Q() { c!2; c?x }
