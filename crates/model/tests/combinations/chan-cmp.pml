/* spin: 11 states, 11 transitions, depth 5, 0 errors */
chan a = [1] of { byte }; chan b = [1] of { byte }; chan x;
active proctype P() { if :: x = a :: x = b fi; if :: x == a -> x!1 :: x == b -> x!2 fi; len(a) + len(b) == 1 }
