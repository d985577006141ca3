/* spin: 13 states, 14 transitions, depth 12, 0 errors */
chan a = [0] of { byte }; chan b = [0] of { byte }; chan d = [0] of { byte };
byte x;
active proctype P() { byte v; atomic { a!1; b?v; x = v } }
active proctype Q() { byte v; atomic { a?v; d!v; x++ } }
active proctype R() { byte v; atomic { d?v; b!v + 1; x = x * 2 } }
