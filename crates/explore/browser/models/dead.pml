/* One statement is never executed. */
byte often, never;

active proctype P() {
  do
  :: often < 2 -> often = 1
  :: often > 2 -> never = 1
  od
}
