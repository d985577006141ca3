/* Mutual exclusion for four processes: Peterson, "Myths about the mutual exclusion
 * problem" (1981), the filter. A process goes up level by level; at each it waits
 * while it came last and another one is as high. */

#define N 4
#define HIGH(other) (other != _pid && level[other] >= l)

byte level[N], last[N], inside;

active [N] proctype P() {
	byte l;
end:
	do
	:: l < N - 1 ->
		l++;
		level[_pid] = l;
		last[l] = _pid;
		(last[l] != _pid || !(HIGH(0) || HIGH(1) || HIGH(2) || HIGH(3)))
	:: else ->
		inside++;
		inside--;
		level[_pid] = 0;
		l = 0
	od
}
