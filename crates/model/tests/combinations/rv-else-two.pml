/* spin: 18 states, 22 transitions, depth 10, 0 errors */
chan c = [0] of { byte }; byte x;
active proctype P() { do :: c!1 -> x++ :: else -> break od }
active proctype Q() { c?_; c?_; x = 7 }
