/* spin: 9 states, 9 transitions, depth 8, 0 errors */
byte x;
inline even(n) { (n % 2 == 0) }
active proctype P() { do :: even(x) -> x++ :: x > 4 -> break :: else -> x = x + 2 od }
