/* spin: 13 states, 22 transitions, depth 11, 1 errors */
byte s;
proctype A(byte a; short b; bit c) { atomic { s = s + a + b; c -> s = s + 1 } }
init { atomic { run A(1, -1, 1); run A(300, 2, 2); run A(1, 70000, 3) } }
