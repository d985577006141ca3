/* spin: 14 states, 17 transitions, depth 10, 0 errors */
chan c = [3] of { byte, bit }; byte x; bit b = 1;
active proctype P() { c!2,0; c!1,1; c!3,1; c!1,0 }
active proctype Q() { c??1,b; c??x,eval(b); c??x,0; c?x,b }
