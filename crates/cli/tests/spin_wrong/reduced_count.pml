/* As reduced_pid.pml: the end of A changes how many processes there are. */
proctype A() { skip }
proctype B() { assert(_nr_pr != 3) }
init { run A(); run B() }
