/* Two users of a lock and a watchdog: timeout, unless, typedefs, mtypes, inlines, d_step. */
/* lariat: expect states 7382, safety holds, breaks violated, only_one holds */
mtype = { idle, busy, broken }

typedef Unit {
	mtype mode;
	byte uses;
	bit flags[2]
}

Unit unit[2]
bool lock
byte alarms

inline acquire(held) {
	atomic { !lock -> lock = true; held = true }
}

inline release(held) {
	atomic { held = false; lock = false }
}

proctype User(byte me) {
	bool held
	do
	:: {
			acquire(held);
			unit[me].mode = busy;
			unit[me].uses = (unit[me].uses + 1) % 3;
			unit[me].flags[me] = !unit[me].flags[me];
			unit[me].mode = idle;
			release(held)
		} unless { alarms > 1 };
		if
		:: alarms > 1 -> break
		:: else
		fi
	od;
	unit[me].mode = broken
}

proctype Watchdog() {
	do
	:: alarms < 2 && lock -> alarms++
	:: timeout -> break
	od
}

init {
	d_step {
		unit[0].mode = idle;
		unit[1].mode = idle
	};
	atomic { run User(0); run User(1); run Watchdog() }
}

ltl breaks { <>(unit[0].mode == broken && unit[1].mode == broken) }
ltl only_one { [](!(unit[0].mode == busy && unit[1].mode == busy)) }
