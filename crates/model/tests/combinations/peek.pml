/* spin: 19 states, 23 transitions, depth 12, 0 errors */
chan c = [3] of { byte, bool }; byte x; bool b;
active proctype P() { c!1,true; c!2,false; c!3,true }
active proctype Q() { c?<x,b>; c??<3,b>; do :: c??[2,false] -> c??2,b :: c?x,b :: empty(c) -> break od }
