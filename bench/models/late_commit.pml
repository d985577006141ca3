/* Two-phase commit. The coordinator counts votes, and mixes up a "no" with a "yes" if it is the
 * third vote that comes in. The participants work on after the vote, and only compare at the end. */

#ifndef N
#define N 5
#endif
#ifndef WORK
#define WORK 12
#endif

mtype = { yes, no };
chan votes = [N] of { mtype, byte };
byte decided, done, work;
bool commit = true;
bool wants[N];

active [N] proctype participant() {
	byte i;
	if
	:: wants[_pid] = true; votes ! yes, _pid
	:: _pid == N - 2 -> votes ! no, _pid
	fi;
	decided == 1;
	do
	:: atomic { i < WORK -> work++; i++ }
	:: else -> break
	od;
	done++;
	done == N;
	assert(!commit || wants[_pid])
}

active proctype coordinator() {
	byte who, i;
	mtype vote;
	do
	:: i < N ->
		votes ? vote, who;
		if
		:: vote == no && i != 2 -> commit = false
		:: else
		fi;
		i++
	:: else -> break
	od;
	decided = 1
}
