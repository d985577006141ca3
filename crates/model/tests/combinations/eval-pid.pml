/* spin: 291 states, 498 transitions, depth 12, 0 errors */
chan c = [3] of { pid, byte }; byte x;
active [3] proctype P() { byte v; c!_pid,x; c?eval(_pid),v; x = x + v + 1 }
