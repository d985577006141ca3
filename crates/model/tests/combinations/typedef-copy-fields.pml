/* spin: 29 states, 29 transitions, depth 28, 0 errors */
typedef P2 { byte x; byte y }; P2 p[3]; byte i;
init { for (i : 0 .. 2) { p[i].x = i; p[i].y = p[i].x * 2 }; i = 0; do :: i < 3 -> if :: p[i].y > 1 -> p[i].x = 0 :: else fi; i++ :: else -> break od }
