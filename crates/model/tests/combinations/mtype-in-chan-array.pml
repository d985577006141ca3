/* spin: 13 states, 14 transitions, depth 17, 1 errors */
mtype = { ping, pong }; chan c[2] = [0] of { mtype, byte };
active [2] proctype P() { byte v; if :: _pid == 0 -> c[1]!ping(1) :: else fi; do :: c[_pid]?ping(v) -> c[1-_pid]!pong(v+1) :: c[_pid]?pong,v -> if :: v < 4 -> c[1-_pid]!ping,v :: else -> break fi od }
