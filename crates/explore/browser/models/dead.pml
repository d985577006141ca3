/* Two statements are never executed, one of them inside a d_step. */
byte often, missed;

active proctype P() {
  do
  :: often < 2 -> often = 1
  :: often > 2 -> missed = 1
  :: d_step {
       often = 0;
       if
       :: often == 0 -> skip
       :: else -> missed = 2
       fi
     }
  od
}
