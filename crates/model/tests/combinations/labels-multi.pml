/* spin: 8 states, 8 transitions, depth 7, 0 errors */
byte x;
active proctype P() { L1: L2: end3: x++; if :: x < 3 -> goto L2 :: else -> goto L4 fi; L4: progress: accept: skip; end_x: x == 9 }
