/* Stations pass a token. Each prepares its work while it waits. FAULTY: one may keep the token. */
#ifndef N
#define N 3
#endif
#ifndef FAULTY
#define FAULTY 0
#endif

byte token;

active [N] proctype Station() {
	byte prepared;
	do
	:: prepared < 3 -> prepared++
	:: token == _pid && prepared == 3 ->
progress:	prepared = 0;
		if
		:: token = (_pid + 1) % N
		:: FAULTY && _pid == N - 1 -> do :: prepared = 1 - prepared od
		fi
	od
}
