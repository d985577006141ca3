/* Peterson's mutual exclusion for two processes.
 * lariat check examples/peterson.pml: safety holds; the assertion is never violated, and no
 * process gets stuck.
 */
bool wants[2];
byte turn;
byte inside; /* how many are in the critical section */

active [2] proctype P()
{
	byte other = 1 - _pid;

again:
	wants[_pid] = true;
	turn = other;
	(!wants[other] || turn == _pid);

	inside++;
	assert(inside == 1);
	inside--;

	wants[_pid] = false;
	goto again
}

/* lariat: expect safety holds */
