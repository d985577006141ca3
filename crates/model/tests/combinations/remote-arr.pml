/* spin: 11 states, 13 transitions, depth 5, 2 errors */
byte x;
active proctype P() { byte l[3]; l[2] = 4; x = 1; x == 5 }
active proctype Q() { P[0]:l[2] == 4; x = 2 + P[0]:l[x] }
