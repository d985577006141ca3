/* A token ring: whoever has the token may work; sorted sends and random receives on the side. */
/* lariat: expect states 1260, safety violated, token_moves violated, one_token holds, third_works violated */
#define N 3
chan link[N] = [1] of { byte }
chan log = [4] of { byte }
byte worked

proctype Station(byte me) {
	byte token
	do
	:: link[me]?token ->
		if
		:: worked = me; nfull(log) -> log!!me
		:: skip
		:: log??[me] -> log??eval(me)
		fi;
		link[(me + 1) % N]!token
	od
}

init {
	byte i
	atomic {
		for (i : 0 .. N - 1) {
			run Station(i)
		};
		link[0]!7
	}
}

ltl token_moves { []<>(len(link[0]) == 1) }
ltl one_token { [](len(link[0]) + len(link[1]) + len(link[2]) <= 1) }
ltl third_works { []<>(worked == 2) }
