/* A lasso of 40,000 steps: count, then stand still for ever. */
int count;

active proctype Counter() {
  do
  :: count < 20000 -> count++
  :: else -> break
  od;
  do
  :: skip
  od
}

ltl negative { <> (count < 0) }
