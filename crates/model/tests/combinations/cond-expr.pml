/* spin: 7 states, 7 transitions, depth 6, 0 errors */
byte x = 3; int y;
init { y = (x == 3 -> (x > 2 -> 1 : 2) : 3); y = ((y == 1) -> y + 1 : y - 1); (y == 2 -> 1 : 0); x = (y << 3) >> 1; x = x % 3 }
