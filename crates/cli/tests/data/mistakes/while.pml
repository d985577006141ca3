byte x;
active proctype P() {
  while (x < 3) {
    x = x + 1;
  }
  x = 0
}
