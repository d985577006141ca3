/* spin: 9 states, 9 transitions, depth 8, 0 errors */
mtype = { a, b, c }; mtype m[2]; byte n;
init { m[0] = c; m[1] = m[0] + 1; n = a; if :: m[1] == b -> n = 9 :: else fi; m[0] = 0; m[0]-- }
