/* spin: 54 states, 80 transitions, depth 22, 1 errors */
chan c = [2] of { int }; byte x;
active proctype P() { do :: nfull(c) -> c!-5 :: full(c) -> break od; len(c) == 0; x = 1 }
active proctype Q() { int v; full(c); do :: nempty(c) -> c?v; assert(v == -5) :: empty(c) -> break od }
