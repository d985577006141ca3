/* Tasks with priorities, in the style of models of FreeRTOS: workers of equal priority, a driver above
 * them that serves a device, and one below them that moves when all others wait. */

#ifndef N
#define N 3
#endif
#ifndef WORK
#define WORK 3
#endif

byte lock, served;
bool pending;
chan queue = [2] of { byte };

active [N] proctype worker() priority 2 {
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
	:: full(queue) -> pending = true
	fi;
	lock = 0;
	goto again
}

active proctype device() priority 2 {
	do
	:: !pending && served < 20 -> pending = true
	:: served == 20 -> served = 0
	od
}

active proctype driver() priority 5 {
	byte from;
	do
	:: pending ->
		if
		:: queue?from
		:: empty(queue)
		fi;
		served = (served < 20 -> served + 1 : 20);
		pending = false
	od
}

active proctype idle() priority 1 {
	do
	:: true -> pending = true
	od
}
