byte counter;
bool on = True;
active proctype P() {
  conter = 1;
  conter = 2;
  if :: counter == 1 -> brek :: els -> skip fi
}
