/* A never claim, accept and progress labels, a deadlock behind a bad choice. */
/* lariat: expect states 39, safety holds, never violated, accept violated */
byte x

active proctype Counter() {
	do
	:: x < 5 -> x++
	:: x == 5 -> progress: x = 0
	:: x == 3 -> goto stuck
	od;
stuck:	false
}

active proctype Watcher() {
accept:	do
	:: x == 2 -> skip
	:: x != 2 -> skip
	od
}

never {	/* <>[](x != 5) */
	do
	:: true
	:: x != 5 -> goto accept_all
	od;
accept_all:
	do
	:: x != 5
	od
}
