byte x, unused;
inline bump() { x++ }

active proctype P() {
  d_step {
    x = 1;
    if
    :: timeout -> x = 2
    :: else -> atomic { x = 3; x = 4 }
    fi
  }
  d_step { bump(); inside: bump() }
  if
  :: false -> x = 9
  :: x > 0 -> skip; skip; printf("%d\n", unused)
  fi
}

active proctype Q() {
  P[0]@inside || pc_value(0) > 9
}

never { do :: x = 1 od }
