/* Some philosophers who all take the left fork first.
 * lariat check examples/philosophers.pml: invalid end state; everyone holds one fork and waits
 * for the next. With -D POLITE=1 the last one takes the other fork first: safety holds.
 */
#ifndef N
#define N 3
#endif

#ifndef POLITE
#define POLITE 0
#endif

chan fork[N] = [1] of { bit };

active [N] proctype Philosopher()
{
	byte left = _pid, right = (_pid + 1) % N;

	fork[_pid]!1;
	if
	:: POLITE && _pid == N - 1 -> left = 0; right = _pid
	:: else
	fi;
end:	do
	:: fork[left]?1 -> fork[right]?1; /* eats */
		fork[right]!1; fork[left]!1
	od
}

/* lariat: expect safety violated */
