/* spin: 7 states, 7 transitions, depth 6, 0 errors */
byte x;
active proctype P() { x == 1; x = 2 }
active proctype Q() { x = 1; x == 2 }
never { do :: enabled(0) && !enabled(1) -> break :: else od }
