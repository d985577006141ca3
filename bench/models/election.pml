/* Election in a ring of N by the largest number, messages passed on to one side.
 * The numbers stand in an order in which many messages are under way at once. */

#ifndef N
#define N 7
#endif
#define ROOM 2

chan ring[N] = [ROOM] of { byte };
byte leaders;

proctype node(byte me; byte number) {
	byte heard;
	ring[(me + 1) % N] ! number;
end:
	do
	:: ring[me] ? heard ->
		if
		:: heard > number -> ring[(me + 1) % N] ! heard
		:: heard < number -> skip
		:: heard == number -> leaders++; break
		fi
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N -> run node(i, (i * 3) % N + 1); i++
		:: else -> break
		od
	}
	leaders == 1
}
