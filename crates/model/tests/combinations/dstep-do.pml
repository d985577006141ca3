/* spin: 4 states, 4 transitions, depth 3, 0 errors */
byte a[5] = { 4, 2, 5, 1, 3 }; byte i, j, t;
active proctype S() { d_step { i = 0; do :: i < 4 -> j = 0; do :: j < 4 - i -> if :: a[j] > a[j+1] -> t = a[j]; a[j] = a[j+1]; a[j+1] = t :: else fi; j++ :: else -> break od; i++ :: else -> break od }; assert(a[0] == 1 && a[4] == 5) }
