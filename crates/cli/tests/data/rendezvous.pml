mtype = { ping, pong };
chan wire = [0] of { mtype, byte };
chan log = [2] of { mtype };

active proctype Sender()
{
	byte n = 7;
	atomic {
		wire!ping(n);
		log!ping;
		printf("sent %d\n", n)
	}
	wire!pong(n)
}

active proctype Receiver()
{
	byte got;
	wire?ping(got);
	log!pong;
	assert(got == 7);
	wire?ping(got)
}
