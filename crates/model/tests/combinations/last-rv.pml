/* spin: 12 states, 13 transitions, depth 6, 0 errors */
chan c = [0] of { bit }; byte x;
active proctype P() { c!1; x = _last }
active proctype Q() { c?1; x = _last + 10 }
