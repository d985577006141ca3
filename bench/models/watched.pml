/* Producers and consumers over two queues, watched by an event trace: what is taken from the first queue
 * goes to the second one, in turn with the next. */

#ifndef N
#define N 3
#endif

chan in = [3] of { byte };
chan out = [3] of { byte };

trace {
	do
	:: in?1; out!1
	:: in?2; out!2
	od
}

active [N] proctype producer() {
	byte kind, made;
	do
	:: kind = 1; in!kind; made = (made + 1) % 3
	:: kind = 2; in!kind; made = (made + 1) % 3
	od
}

active proctype relay() {
	byte kind;
	do
	:: atomic { in?kind; out!kind }
	od
}

active [2] proctype consumer() {
	byte kind, seen;
	do
	:: out?kind -> seen = (seen + kind) % 4; kind = 0
	od
}
