/* spin: 86 states, 128 transitions, depth 11, 0 errors */
byte n;
proctype A() { n++ }
init { if :: run A() -> n = 5 :: run A() -> n = 6 fi; (run A()) ; n = 2 * run A() }
