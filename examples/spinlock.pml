/* Two processes share a resource by a lock that they test and set in one step. They are never
   inside together, but whoever waits may wait for ever: see docs/tutorial.md. */
bool locked;
byte inside;

active [2] proctype Process() {
  do
  :: skip;                               /* work of its own */
waiting:
     atomic { !locked -> locked = true };
     inside++;
critical:
     inside--;
     locked = false
  od
}

ltl exclusion { [] (inside <= 1) }
ltl served { [] (Process[0]@waiting -> <> Process[0]@critical) }
