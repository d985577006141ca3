/* Going round by 3 alone is no progress; going round by 1 is accepted. */
byte x;
active proctype A() {
  do
  :: x = 1;
     accept_one: x = 2;
     progress_two: skip
  :: x = 3
  od
}
