/* A bounded buffer between two producers and a consumer, all by rendezvous. */
/* lariat: expect states 18403, safety violated, all_taken violated, never_more holds */
#define SIZE 3
chan put = [0] of { byte }
chan get = [0] of { byte }
byte made, taken

proctype Producer(byte id) {
	do
	:: made < 6 -> atomic { made < 6 -> made++ }; put!id
	:: made >= 6 -> break
	od
}

proctype Consumer() {
	byte id
end:	do
	:: get?id -> assert(id == 1 || id == 2); taken++
	od
}

proctype Buffer() {
	byte slot[SIZE]
	byte first, count
end:	do
	:: count < SIZE -> put?slot[(first + count) % SIZE]; count++
	:: count > 0 -> get!slot[first]; first = (first + 1) % SIZE; count--
	od
}

init {
	atomic { run Producer(1); run Producer(2); run Buffer(); run Consumer() }
}

ltl all_taken { <>(taken == 6) }
ltl never_more { [](taken <= made) }
