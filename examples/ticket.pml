/* Two processes share a resource by tickets: whoever comes later has the later number. All
   properties hold, without any promise about the scheduler. */
byte next, serving;
byte inside;

active [2] proctype Process() {
  byte mine;
  do
  :: skip;                               /* work of its own */
     d_step { mine = next; next = (next + 1) % 2 };
waiting:
     (serving == mine);
     inside++;
critical:
     inside--;
     serving = (serving + 1) % 2
  od
}

ltl exclusion { [] (inside <= 1) }
ltl served { [] (Process[0]@waiting -> <> Process[0]@critical) }

/* lariat: expect safety holds, exclusion holds, served holds */
