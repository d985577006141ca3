/* spin: 10 states, 12 transitions, depth 8, 0 errors */
chan g = [2] of { byte };
proctype P(chan in, out; byte n) { byte v; in?v; out!v + n }
init { chan l = [1] of { byte }; byte r; atomic { run P(g, l, 2); g!1 }; l?r; assert(r == 3) }
