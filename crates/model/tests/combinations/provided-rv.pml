/* spin: 45 states, 63 transitions, depth 12, 3 errors */
byte g; chan c = [0] of { bit };
active proctype P() provided (g < 2) { c!1; g++; c!0 }
active proctype Q() provided (g != 1) { bit b; c?b; g++; c?b }
active proctype R() { g = 0; g = 2; g = 0 }
