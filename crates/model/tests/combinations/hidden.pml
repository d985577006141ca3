/* spin: 13 states, 17 transitions, depth 8, 0 errors */
hidden byte h; byte x;
active proctype P() { h = 1; x = h; h = 2; x = h + 1 }
active proctype Q() { h = 5; x == 3 }
