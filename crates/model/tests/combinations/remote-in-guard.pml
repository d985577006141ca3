/* spin: 27 states, 35 transitions, depth 10, 3 errors */
byte x;
proctype W(byte n) { byte st; st = n; crit: st = n + 1; skip }
init { pid p; p = run W(3); W[p]@crit; x = W[p]:st; x = W[p]:n; do :: W[p]:st == 4 -> break :: x == 9 -> break od }
