/* spin: 10 states, 12 transitions, depth 4, 2 errors */
byte x;
active proctype P() { x = 1; x == 5 }
active proctype Q() { P[0]:_pid == 0; x = 2 + P[0]:_pid }
