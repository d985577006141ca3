/* spin: 14 states, 14 transitions, depth 7, 0 errors */
byte a[3]; int i = -1; byte x;
init { x = 5; if :: i = 2 :: i = 1 fi; a[i] = x; i = i - 1; a[i] = 3; x = a[i+1] }
