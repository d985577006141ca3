/* spin: 6 states, 7 transitions, depth 4, 1 errors */
byte x;
active proctype P() { byte l[2]; byte k; l[1] = 3; L: k = 2; x = 1 }
active proctype Q() { P[0]:k == 2; P[0]@L; x = 2 }
