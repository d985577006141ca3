/* spin: 11 states, 15 transitions, depth 6, 3 errors */
mtype = { a, b };
chan c = [1] of { mtype }; chan d = [1] of { mtype };
active proctype P() { c!a; d!b; d!b }
active proctype Q() { do :: c?a :: d?b od }
notrace { c!a; d!b; d!b }
