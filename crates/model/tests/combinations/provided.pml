/* spin: 14 states, 14 transitions, depth 13, 1 errors */
byte turn; byte x;
active [2] proctype P() provided (turn == _pid) { do :: x < 4 -> x++; turn = 1 - turn :: else -> break od }
