/* spin: 70 states, 137 transitions, depth 15, 0 errors */
byte n;
proctype W(byte k) { n = n + k; end: false }
init { pid p; byte i; do :: i < 3 -> p = run W(i); i++ :: else -> break od; _nr_pr == 4; n = p }
