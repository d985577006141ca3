/* A lasso of 40,000 steps: count, then stand still for ever. */
int count;
bool waits;

active proctype Counter() {
  do
  :: count < 20000 -> count++
  :: else -> break
  od;
  do
  :: waits = !waits
  od
}

ltl negative { <> (count < 0) }
