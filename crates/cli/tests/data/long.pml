/* Sixty processes in turn, for 40,000 steps, then for ever: a long lasso. */
int n; byte who; bool flag;
active [60] proctype W() {
  byte mine;
  do
  :: atomic { n < 40000 && who == _pid -> n++; mine = n % 7; who = (who + 1) % 60 }
  :: atomic { n == 40000 && who == _pid -> flag = !flag; who = (who + 1) % 60 }
  od
}
ltl high { <> (n > 40001) }
