/* Clerks open accounts without a lock, then work under one. A deposit that is lost at the opening
 * is noticed at the audit only, after all the work. All count their work in one variable, so that no
 * order of it can be left out. */

#ifndef N
#define N 5	/* clerks */
#endif
#ifndef WORK
#define WORK 14	/* transfers of each */
#endif

byte total, opened, done, moved;

active [N] proctype clerk() {
	byte seen, i;
	/* Only the first two open with money of their own. */
	if
	:: _pid < 2 ->
		seen = total;
		total = seen + 10
	:: else
	fi;
	opened++;
	opened == N;
	do
	:: atomic { i < WORK -> moved++; i++ }
	:: else -> break
	od;
	done++
}

active proctype audit() {
	done == N;
	assert(total == 20)
}
