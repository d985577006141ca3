/* spin: 57 states, 86 transitions, depth 15, 0 errors */
mtype = { req, rep };
chan server = [1] of { mtype, chan, byte };
proctype client(byte n) { chan me = [1] of { mtype, byte }; byte r; server!req,me,n; me?rep,r; assert(r == n + 1) }
active proctype srv() { chan who; byte v; end: do :: server?req,who,v -> who!rep,v+1 od }
init { atomic { run client(1); run client(5) } }
