/* spin: 8 states, 8 transitions, depth 7, 0 errors */
bit f[3]; bool t; byte i;
init { f[0] = 2; f[1] = 1; t = f[0]; i = f[0] + f[1]; f[2] = !f[0]; i = t }
