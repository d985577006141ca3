byte i, x = 300;
typedef T { byte f };
active proctype P() {
  byte a = -1, list[2] = { 1, 256 };
  goto again;
again:
  for (i : 1 .. 3) { x++ }
}
