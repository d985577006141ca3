/* A controller chooses a mode for each of its devices at the start. In one combination two devices
 * share a buffer. They fill it together, and it is too full only when all have done their work. */

#ifndef N
#define N 5
#endif
#ifndef WORK
#define WORK 12
#endif

byte mode[N], started, filled, done, made;

active proctype controller() {
	byte i;
	do
	:: i < N ->
		if
		:: mode[i] = 1
		:: mode[i] = 2
		:: mode[i] = 3
		fi;
		i++
	:: else -> break
	od;
	started = 1
}

active [N] proctype device() {
	byte i, me = _pid - 1;
	started == 1;
	do
	:: atomic { i < WORK -> made++; i++ }
	:: else -> break
	od;
	if
	:: me < 2 && mode[me] == 2 -> filled = filled + 4
	:: else
	fi;
	done++;
	done == N;
	assert(filled < 8)
}
