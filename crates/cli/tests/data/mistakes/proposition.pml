byte x, value;

active proctype P() { x++ }

ltl later {
  [] (x < 3
      -> <>  (x == vaule)) }
