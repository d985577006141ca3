/* Election of a leader in a ring with messages to one side: Dolev, Klawe, Rodeh,
 * "An O(n log n) unidirectional distributed algorithm for extrema finding in a
 * circle" (1982). An active node learns the numbers of its two nearest active
 * neighbours behind it; it stays active if the nearer one is the largest of the
 * three, and goes on with that number. The others pass messages on. */

#ifndef N
#define N 6 /* at most 8 */
#endif
#define ROOM 10

mtype = { one, two, winner };
chan ring[N] = [ROOM] of { mtype, byte };
byte leaders;

proctype node(chan from, to; byte number) {
	byte largest = number, heard, nearer;
	bool is_active = true, knows;
	xr from;
	xs to;

	to ! one(number);
end:
	do
	:: from ? one(heard) ->
		if
		:: !is_active -> to ! one(heard)
		:: is_active && heard != largest ->
			to ! two(heard);
			nearer = heard
		:: else ->
			/* its own number has gone all the way round */
			assert(heard == N);
			knows = true;
			to ! winner(heard)
		fi
	:: from ? two(heard) ->
		if
		:: !is_active -> to ! two(heard)
		:: is_active && nearer > heard && nearer > largest ->
			largest = nearer;
			to ! one(nearer)
		:: else -> is_active = false
		fi
	:: from ? winner(heard) ->
		if
		:: knows -> skip
		:: else -> to ! winner(heard)
		fi;
		if
		:: heard == number -> leaders++; assert(leaders == 1)
		:: else -> skip
		fi;
		break
	od
}

#define PUT(at) at < N && number[at] == 0 -> number[at] = next

init {
	byte number[8];
	byte next = 1, at;
	atomic {
		/* the numbers 1 to N round the ring in any order */
		do
		:: next <= N ->
			if
			:: PUT(0)
			:: PUT(1)
			:: PUT(2)
			:: PUT(3)
			:: PUT(4)
			:: PUT(5)
			:: PUT(6)
			:: PUT(7)
			fi;
			next++
		:: else -> break
		od;
		do
		:: at < N ->
			run node(ring[at], ring[(at + 1) % N], number[at]);
			at++
		:: else -> break
		od
	}
}
