/* spin: 9 states, 9 transitions, depth 8, 0 errors */
byte x;
init { do :: do :: x < 2 -> x++ :: else -> break od; if :: x == 2 -> break :: else fi :: x == 7 -> break od; goto e; x = 9; e: x = 3 }
