/* The alternating-bit protocol over channels that lose messages. What is sent arrives in order. */
/* lariat: expect states 71, safety holds, delivered violated, delivered_if_not_lost holds, in_order holds */
mtype = { data, ack }

chan forth = [2] of { mtype, bit, byte }
chan back = [2] of { mtype, bit }
byte received
byte last

active proctype Sender() {
	bit turn
	byte value
	do
	:: forth!data(turn, value);
		do
		:: back?ack(eval(turn)) -> break
		:: back?ack(eval(1 - turn))
		:: timeout -> forth!data(turn, value)
		od;
		turn = 1 - turn;
		value = (value + 1) % 4
	od
}

active proctype Receiver() {
	bit expected
	bit seen
	byte value
	do
	:: forth?data(seen, value) ->
		if
		:: seen == expected ->
			assert(received == 0 || value == (last + 1) % 4);
			d_step { last = value; received = 1 };
progress:	expected = 1 - expected
		:: else
		fi;
		back!ack(seen)
	od
}

active proctype Loss() {
	do
	:: forth?_, _, _
	:: back?_, _
	od
}

ltl delivered { []<>(Receiver@progress) }
ltl delivered_if_not_lost { ([]<>(len(forth) == 0 && len(back) == 0)) || []<>(Receiver@progress) }
ltl in_order { [](received -> last < 4) }
