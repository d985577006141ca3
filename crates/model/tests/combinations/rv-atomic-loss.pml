/* spin: 27 states, 37 transitions, depth 13, 0 errors */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; c!1; x = 2; d?_; x = 3 } }
active proctype Q() { atomic { c?_; x = x + 10; d!1; x = x + 20 } }
active proctype R() { x = x + 40 }
