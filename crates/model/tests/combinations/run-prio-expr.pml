/* spin: 5 states, 5 transitions, depth 4, 0 errors */
byte x;
active proctype P() { x = 1; if :: x == 1 -> goto done :: else -> skip fi; x = 4; done: x = 5 }
