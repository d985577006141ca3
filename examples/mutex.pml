/* Two processes share a resource by a flag each and a turn (Peterson). `lariat check` proves
   that they are never inside together, and that whoever waits gets in. It refutes that
   process 0 gets in again and again: nothing makes a scheduler let it start. */
bool wants[2];
byte turn;
byte inside;

active [2] proctype Process() {
  byte other = 1 - _pid;
  do
  :: wants[_pid] = true;
     turn = other;
waiting:
     (!wants[other] || turn == _pid);
     inside++;
     assert(inside == 1);
critical:
     inside--;
     wants[_pid] = false
  od
}

ltl exclusion { [] (inside <= 1) }
ltl no_starvation { [] (Process[0]@waiting -> <> Process[0]@critical) }
ltl again_and_again { [] <> Process[0]@critical }

/* lariat: expect safety holds, exclusion holds, no_starvation holds, again_and_again violated */
