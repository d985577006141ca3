/* Stages hand on what they get, over channels of one sender and one receiver. FAULTY: the last stage may
 * stop, and the first one then throws away what it makes. */
#ifndef N
#define N 3
#endif
#ifndef FAULTY
#define FAULTY 0
#endif

chan link[N] = [2] of { byte };

active proctype Source() {
	byte next;
	xs link[0];
	do
	:: link[0]!next; next = 1 - next
	:: FAULTY && full(link[0]) -> next = 1 - next
	od
}

active [N - 1] proctype Stage() {
	byte it;
	do
	:: link[_pid - 1]?it; it = 1 - it; link[_pid]!it
	od
}

active proctype Sink() {
	byte it;
	do
	:: link[N - 1]?it;
progress:	it = 0
	od
}
