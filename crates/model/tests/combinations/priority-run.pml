/* spin: 15 states, 15 transitions, depth 14, 0 errors */
byte x;
proctype A(byte n) { x = n; x = x + _priority }
init { atomic { run A(1) priority 2; run A(2) priority 2; run A(3) priority 4 }; x = 100 }
