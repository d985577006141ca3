/* spin: 211 states, 393 transitions, depth 28, 0 errors */
typedef In { byte a[2]; bit f; unsigned u : 3; short s };
typedef Out { In in[2]; chan c; mtype m };
mtype = { red, green };
Out o[2];
active [2] proctype P() {
  byte i;
  for (i : 0 .. 1) { o[_pid].in[i].a[i] = _pid + i; o[i].in[_pid].u = 9 + i; o[_pid].m = (i -> red : green); }
  assert(o[0].in[1].u <= 7)
}
