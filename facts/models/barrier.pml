/* A reusable barrier of three that was built wrongly: a fast process laps the slow one. */
/* lariat: expect states 10304, safety violated */
#define N 3
byte here
bit open
byte rounds[N]

active [N] proctype Walker() {
	do
	:: atomic {
			here++;
			if
			:: here == N -> open = 1
			:: else
			fi
		};
		open == 1;
		atomic {
			here--;
			if
			:: here == 0 -> open = 0
			:: else
			fi
		};
		rounds[_pid] = (rounds[_pid] + 1) % 4;
		assert(rounds[_pid] != (rounds[(_pid + 1) % N] + 2) % 4)
	od
}
