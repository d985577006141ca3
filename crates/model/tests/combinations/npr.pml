/* spin: 20 states, 23 transitions, depth 9, 0 errors */
byte x;
proctype A() { byte l = _nr_pr; x = x + l }
active proctype M() { run A(); run A(); _nr_pr == 1 -> x++ }
