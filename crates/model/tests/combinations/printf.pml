/* spin: 5 states, 5 transitions, depth 4, 0 errors */
mtype = { hello }; mtype m = hello; byte x = 65;
active proctype P() { printf("x=%d %u %o %x %c %e %%\n", x, x, x, x, x, m); printm(m); printm(hello) }
