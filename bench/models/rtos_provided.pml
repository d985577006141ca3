/* A preemptive scheduler in the style of models of FreeRTOS: a task moves only while it is the
 * current one, and a tick may hand the processor on at any time. Tasks share a lock and a queue;
 * what they have taken from it is remembered outside of the state. */

#ifndef N
#define N 4
#endif
#ifndef WORK
#define WORK 2
#endif

byte current, lock;
hidden byte taken;
chan queue = [2] of { byte };

active [N] proctype task() provided (current == _pid) {
	byte work;
again:
	work = 0;
	do
	:: work < WORK -> work++
	:: work == WORK -> break
	od;
	atomic { lock == 0 -> lock = 1 };
	if
	:: nfull(queue) -> queue!_pid
	:: nempty(queue) -> atomic { queue?work; taken = work }
	fi;
	assert(lock == 1);
	lock = 0;
	goto again
}

active proctype tick() {
	do
	:: current = (current + 1) % N
	od
}
