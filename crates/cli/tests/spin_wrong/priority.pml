/* The assertion fails in one of two branches. They differ in the priority of Q only, which
   Spin's compressed states do not have: it takes the second branch for the first. */
byte x;

active proctype Q() { x = 1; x = 2 }

active proctype P() {
	if
	:: set_priority(0, 3)
	:: set_priority(0, 5)
	fi;
	x = 3;
	assert(get_priority(0) == 3)
}
