/* One statement is never executed. */
byte often, missed;

active proctype P() {
  do
  :: often < 2 -> often = 1
  :: often > 2 -> missed = 1
  od
}
