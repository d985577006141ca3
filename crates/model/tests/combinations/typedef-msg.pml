/* spin: 18 states, 22 transitions, depth 13, 0 errors */
typedef T { byte a; short b[2]; bit f }; typedef U { T t; byte n };
chan c = [2] of { U, byte }; U u, w; byte k;
active proctype P() { u.t.a = 5; u.t.b[1] = -9; u.t.f = 1; u.n = 3; c!u,7; u.n = 4; c!u,8 }
active proctype Q() { c?w,k; assert(w.t.b[1] == -9 && w.n == 3); c?w,8; k = w.n }
