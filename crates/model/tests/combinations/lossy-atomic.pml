/* spin -m: 26 states, 37 transitions, depth 8, 0 errors */
chan c = [1] of { byte }; byte x;
active proctype P() { atomic { c!1; c!2; x++ }; do :: c!x :: x++; break od }
active proctype Q() { if :: full(c) -> x = 9 :: c?x fi }
