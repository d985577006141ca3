/* Clients connect to a server with a number of their own. The server keeps the number that came first
 * for all who come while it is busy. Who has the number of another one notices at the end. */

#ifndef N
#define N 5
#endif
#ifndef WORK
#define WORK 12
#endif

chan ask = [1] of { byte };
byte number_of[N], connected, done, sent;
bool busy;

active [N] proctype client() {
	byte i;
	if
	:: _pid >= 2 -> atomic { !busy -> busy = true }
	:: else -> busy = true	/* does not look */
	fi;
	ask ! _pid;
	number_of[_pid] != 0;
	connected++;
	connected == N;
	do
	:: atomic { i < WORK -> sent++; i++ }
	:: else -> break
	od;
	done++;
	done == N;
	assert(number_of[_pid] == _pid + 1)
}

active proctype server() {
	byte who, last;
	do
	:: connected == N -> break
	:: ask ? who ->
		if
		:: len(ask) > 0 && last == 1 -> number_of[who] = last
		:: else -> number_of[who] = who + 1
		fi;
		last = number_of[who];
		busy = false
	od
}
