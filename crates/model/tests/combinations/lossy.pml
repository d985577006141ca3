/* spin -m: 50 states, 64 transitions, depth 13, 2 errors */
chan c = [1] of { byte }; byte x;
active proctype P() { c!1; c!2; x++; c!3 }
active proctype Q() { byte v; do :: c?v -> x = v :: x > 2 -> break od }
