/* spin: 8 states, 13 transitions, depth 5, 0 errors */
mtype = { a, b };
chan c = [1] of { mtype }; chan d = [1] of { mtype };
active proctype P() { do :: c!a; d!b od }
active proctype Q() { do :: c?a :: d?b od }
trace { do :: c!a; d!b od }
