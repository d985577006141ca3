bool locked;
byte inside;

active [2] proctype P() {
  do
  :: !locked -> locked = true; inside++; inside--; locked = false
  od
}

ltl exclusion { [] (inside <= 1) }
ltl one_step { [] (inside == 1 -> X (inside == 0)) }

never {
  do
  :: inside > 1 -> break
  :: else
  od
}
