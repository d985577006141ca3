/* spin: 31 states, 43 transitions, depth 17, 0 errors */
byte x;
active proctype P() { L: atomic { x++; if :: x < 4 -> goto L :: x >= 2 -> goto M :: else -> skip fi; x = 50 }; M: x = x + 100 }
active proctype Q() { atomic { x > 0; x = x + 10 } }
