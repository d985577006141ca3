byte x;
#define small x < 3

active proctype P() { x++ }

ltl ok { [] (x < 2) }
ltl missing {
  [] (small
      -> <> (x <)) }
