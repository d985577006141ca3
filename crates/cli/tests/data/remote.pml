/* Remote references to fields, arrays in them, _pid and _priority. */
typedef T { byte a; byte b[2] };
byte x;

active proctype P() {
  T t;
  d_step { t.a = 3; t.b[1] = 4; if :: t.a == 4 -> t.b[0] = 1 :: else fi }
  x = 1
}

active proctype Q() {
  P[0]:t.a == 3 && P[0]:t.b[x] == 4;
  assert(P[0]:_pid == 0)
}
