/* spin: 18 states, 19 transitions, depth 11, 0 errors */
byte x;
active proctype P() priority 3 { x = 1; set_priority(1, 5); x = 2; x = get_priority(1) }
active proctype Q() priority 2 { x = 3; _priority = 1; x = 4 }
active proctype R() { x = 9 }
