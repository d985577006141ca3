/* spin: 98 states, 122 transitions, depth 14, 3 errors */
chan c = [4] of { byte, byte };
byte x, y;
active proctype S() { c!!3,1; c!!1,2; c!!2,x; c!!1,1 }
active proctype R() { do :: c??eval(x+1),y -> x = x + 1 :: c?y,eval(x) :: x >= 2 -> break od }
