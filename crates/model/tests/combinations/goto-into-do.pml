/* spin: 13 states, 13 transitions, depth 9, 0 errors */
byte x;
active proctype P() { goto mid; do :: x < 3 -> x++; mid: x = x + 2 :: x >= 3 -> break od; out: x = 0; if :: goto fin :: x = 7 fi; fin: skip }
