/* A lock that is tested and taken in two steps: both processes can pass the test.
 * lariat check examples/broken_mutex.pml: the assertion is violated; `--bfs` shows a shortest
 * way to it. Putting the two steps into `atomic { }` mends it.
 */
bool locked;
byte inside;

active [2] proctype P()
{
	do
	:: !locked ->
		locked = true;
		inside++;
		printf("process %d is inside\n", _pid);
		assert(inside == 1);
		inside--;
		locked = false
	od
}

/* lariat: expect safety violated */
