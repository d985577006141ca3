/* spin: 13 states, 13 transitions, depth 8, 1 errors */
chan a = [1] of { byte }; chan b = [1] of { byte }; chan cur;
active proctype P() { byte v; cur = a; cur!1; cur = b; cur!2; if :: cur = a :: cur = b fi; cur?v; assert(v == 1) }
