/* If A is still there when B starts, B has pid 2. Spin's reduction takes the end of A as
   independent of everything and lets it happen first. */
proctype A() { skip }
proctype B() { assert(_pid != 2) }
init { run A(); run B() }
