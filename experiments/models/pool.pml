/* Workers with steps of their own share a lock. FAULTY: one tries again and again while it waits. */
#ifndef N
#define N 3
#endif
#ifndef FAULTY
#define FAULTY 0
#endif

bool taken;

active [N] proctype Worker() {
	byte done;
	do
	:: done < 4 -> done++
	:: done == 4 ->
		do
		:: atomic { !taken -> taken = true }; break
		:: FAULTY && _pid == 0 && taken -> skip
		od;
progress:	done = 0;
		taken = false
	od
}
