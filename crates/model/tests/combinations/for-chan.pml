/* spin: 20 states, 20 transitions, depth 19, 0 errors */
typedef M { byte a; byte b }; chan c = [3] of { M }; M m; byte s;
init { m.a = 1; c!m; m.a = 2; m.b = 5; c!m; for (m in c) { s = s + m.a + m.b; if :: s > 3 -> break :: else fi } ; s = len(c) }
