/* Readers share, a writer is alone; a writer can wait for ever while readers come and go. */
/* lariat: expect states 168, safety holds, exclusive holds, writes_again violated, can_read violated */
#define READERS 3
byte reading
bit writing
byte turns

active [READERS] proctype Reader() {
	do
	:: atomic { !writing -> reading++ };
		assert(!writing);
		reading--
	od
}

active proctype Writer() {
	do
	:: atomic { reading == 0 && !writing -> writing = 1 };
wrote:	assert(reading == 0);
		writing = 0;
		turns = (turns + 1) % 3
	od
}

ltl exclusive { [](writing -> reading == 0) }
ltl writes_again { []<>(Writer@wrote) }
ltl can_read { <>(reading > 0) }
