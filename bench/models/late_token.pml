/* A ring with one token. A station that starts before the monitor believes that the token is lost,
 * and makes another one; the monitor takes it for its own if it starts at once. Two tokens are noticed
 * when all stations have had their turns. */

#ifndef N
#define N 5
#endif
#ifndef WORK
#define WORK 11
#endif

byte tokens, ready, done, turns;
bool monitor_up;

active proctype monitor() {
	if
	:: tokens == 0 -> tokens++
	:: tokens == 1 && ready == 1 -> tokens++	/* does not know that one was made */
	:: else
	fi;
	monitor_up = true
}

active [N] proctype station() {
	byte i, me = _pid - 1;
	if
	:: me == 1 && !monitor_up && ready == 0 && tokens == 0 -> tokens++
	:: me != 1 || monitor_up || ready != 0 -> skip
	fi;
	ready++;
	ready == N && monitor_up;
	do
	:: atomic { i < WORK -> turns++; i++ }
	:: else -> break
	od;
	done++;
	done == N;
	assert(tokens < 2)
}
