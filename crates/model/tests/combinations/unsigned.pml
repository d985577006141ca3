/* spin: 33 states, 33 transitions, depth 32, 0 errors */
unsigned u : 5 = 30; unsigned w : 1; typedef T { unsigned a : 2; unsigned b : 6 }; T t;
active proctype P() { unsigned l : 4; do :: u != 3 -> u++; l--; w = l; t.a = u; t.b = t.b + 7 :: else -> break od }
