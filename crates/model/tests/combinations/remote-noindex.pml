/* spin: 24 states, 31 transitions, depth 7, 1 errors */
byte x;
active proctype P() { byte k = 2; L: x++; k++; x++ }
active proctype Q() { P@L; x = P:k }
