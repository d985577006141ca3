/* spin: 6 states, 6 transitions, depth 10, 0 errors */
byte x;
active proctype P() { atomic { if :: x > 0 :: x == 0 fi; do :: x >= 2 -> break :: else -> x++ od } ; if :: skip :: x = 5 fi }
