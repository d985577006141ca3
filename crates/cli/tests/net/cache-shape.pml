/*
 * net: expect violated: safety
 * Made by hand. With --cache 200 --plan-after 4 the last value of a changes how states are packed, and a
 * state looked like one that was packed before (mistake cache-shape).
 */
byte a, b, c;
active proctype P() {
  do :: break :: a < 5 -> a++ od;
  do :: break :: b < 2 -> b++ od;
  assert(!(a == 5 && b == 1))
}
