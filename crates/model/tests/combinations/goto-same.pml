/* spin: 15 states, 15 transitions, depth 17, 0 errors */
byte x;
active proctype P() { S0: if :: x < 3 -> x++; goto S0 :: x == 3 -> goto S1 fi; S1: if :: x > 0 -> atomic { x--; goto S1 } :: x == 0 -> goto end_p fi; end_p: x == 200 }
