/* spin: 7 states, 7 transitions, depth 6, 0 errors */
typedef N { chan c[2] = [1] of { byte }; byte k }; N n[2]; byte x;
init { n[0].c[1]!5; n[1].c[0]!6; n[0].c[1]?n[0].k; n[1].c[0]?x; assert(x == 6) }
