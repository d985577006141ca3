/* spin: 30 states, 42 transitions, depth 11, 0 errors */
byte x;
D_proctype A(byte k) { x = x + k; if :: x > 3 -> x = 0 :: else -> x++ fi }
init { atomic { run A(1); run A(2) } }
