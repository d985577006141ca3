/* spin: 16 states, 16 transitions, depth 15, 0 errors */
byte x, y;
proctype A(byte k) { x = x + k; _priority = 2; y = y + k; set_priority(0, 7) }
init { run A(1) priority 5; run A(2) priority 3; x = get_priority(1); y = _priority }
