/* spin: 15 states, 19 transitions, depth 10, 3 errors */
chan c = [0] of { byte }; byte x, y;
active proctype S() { atomic { c!1; x++; c!2; x++ } }
active [2] proctype R() { byte v; atomic { c?v; y = y + v; v = 0 }; c?v; y = y * 2 }
