/* spin: 53 states, 73 transitions, depth 11, 0 errors */
byte g;
active proctype P() { byte a = 1; { byte b = 2; g = a + b; { byte c = b; g = g + c } }; { byte b; b = g; g = b + 1 } }
active proctype Q() { atomic { byte z = g; g = z * 2 } }
