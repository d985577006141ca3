/* Sixty processes, far more states than anybody can see: for wide tables, and for searches that must be stopped. */
byte turns[60];

active [60] proctype Worker() {
  byte mine;
  do
  :: mine < 3 -> mine++; turns[_pid] = mine
  :: mine == 3 -> mine = 0
  od
}

ltl rests { [] <> (turns[0] == 0) }
