/* spin: 18 states, 22 transitions, depth 8, 0 errors */
chan c = [2] of { byte, byte }; byte x = 1;
active proctype P() { c!1,2; c!2,3 }
active proctype Q() { c?[1,x]; (c?[eval(x),_] && x == 1) || c??[2,3]; if :: c??[x,3] -> x = 4 :: c?[2,2] -> x = 5 :: else -> x = 6 fi }
