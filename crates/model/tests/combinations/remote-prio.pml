/* spin: 4 states, 4 transitions, depth 3, 1 errors */
byte x;
active proctype P() priority 3 { x = 1; x == 5 }
active proctype Q() { x = P[0]:_priority }
