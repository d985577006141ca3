/* The claim accepts the runs in which p becomes true, which B sees to. It does not count steps,
   but its states do. Spin decides for each pair of a state and a claim state whether to leave
   B's step out, so that each of them leaves it to the others. */
bit p;

active proctype A() { bit h; do :: h = 1 - h od }
active proctype B() { p = 1 }

never {
	if
	:: !p -> goto even0
	:: !p -> goto odd
	:: !p -> goto once
	:: p -> goto accept
	fi;
once:
	if
	:: p -> goto accept
	fi;
even0:
	if
	:: !p -> goto even1
	fi;
even1:
	if
	:: !p -> goto even0
	:: p -> goto accept
	fi;
odd:
	if
	:: !p -> goto odd0
	fi;
odd0:
	if
	:: !p -> goto odd1
	fi;
odd1:
	if
	:: !p -> goto odd0
	:: p -> goto accept
	fi;
accept:
	do
	:: p
	od
}
