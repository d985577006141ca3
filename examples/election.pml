/* Leader election by echo waves with extinction, for arbitrary networks (Tel, Introduction to
 * Distributed Algorithms, Section 7.3), on a triangle of three nodes.
 *
 * The model of Geldenhuys and Valmari (TACAS 2004) and that of Schwoon and Esparza (TACAS 2005),
 * which their tables are made with, are not in the papers. This one is rebuilt from the description.
 * Every node begins a wave of its own; a node leaves its wave for a better one; the wave that comes
 * back to its beginner makes it the leader, who tells all others. Then the election starts over.
 *
 * VARIANT 1: the same node wins every time. VARIANT 2: each node gets a turn.
 *
 * The formulas of Geldenhuys and Valmari are not in the papers either. Those below have the classes
 * (weak or not) and, in both variants, the verdicts of Table 1 of Schwoon and Esparza. */

#ifndef VARIANT
#define VARIANT 1
#endif

mtype = { wave, over };

/* From a node to another one: link[3 * from + to]. */
chan link[9] = [4] of { mtype, byte };

byte leader = 3; /* the last one that was elected; 3: none so far */
bool elected;    /* the last round has its leader, who has not begun the next one */

#if VARIANT == 2
#define KEY ((me + round) % 3)
#else
#define KEY me
#endif

#define LEFT ((me + 1) % 3)
#define RIGHT ((me + 2) % 3)
#define TO(node) link[3 * me + node]
#define FROM(node) link[3 * node + me]

inline tell(what, value) {
	TO(LEFT)!what,value; TO(RIGHT)!what,value
}

/* A wave comes in from a neighbour. */
inline hear(neighbour, other) {
	if
	:: key > best -> best = key; father = neighbour; heard = 1; TO(other)!wave,best
	:: key == best -> heard++
	:: else
	fi;
	if
	:: key == best && heard == 2 && father == me ->
		leader = me; elected = true; told = true; tell(over, 0)
	:: key == best && heard == 2 && father != me -> TO(father)!wave,best
	:: else
	fi;
	key = 0
}

/* A neighbour says that the round is over. */
inline end() {
	if
	:: !told -> told = true; tell(over, 0)
	:: else
	fi
}

proctype Node(byte me) {
	byte round, key, best, father, heard;
	bool told, left_over, right_over;
	do
	:: atomic {
		best = KEY; father = me; heard = 0; told = false; left_over = false; right_over = false;
		if
		:: leader == me -> elected = false
		:: else
		fi;
		tell(wave, best)
	   };
	   do
	   :: !left_over && nempty(FROM(LEFT)) ->
		if
		:: FROM(LEFT)?wave,key -> hear(LEFT, RIGHT)
		:: FROM(LEFT)?over,_ -> left_over = true; end()
		fi
	   :: !right_over && nempty(FROM(RIGHT)) ->
		if
		:: FROM(RIGHT)?wave,key -> hear(RIGHT, LEFT)
		:: FROM(RIGHT)?over,_ -> right_over = true; end()
		fi
	   :: left_over && right_over -> break
	   od;
	   round = (round + (VARIANT == 2)) % 3
	od
}

init { atomic { run Node(0); run Node(1); run Node(2) } }

ltl A { <>[] (leader == 2) }
ltl B { <>[] (leader != 2) }
ltl C { <> elected }
ltl D { [] (!elected -> <> elected) }
ltl E { [] !elected }
ltl F { []<> elected }
ltl G { [] (elected -> leader == 2) }
ltl H { []<> (len(link[6]) >= 2) -> <>[] (leader == 1) }
ltl I { []<> (leader == 2) && []<> (len(link[6]) >= 2) -> []<> (leader == 0) }

/* Of VARIANT 1:
 * lariat: expect safety holds, A holds, B violated, C holds, D holds, E violated, F holds
 * lariat: expect G holds, H violated, I violated */
