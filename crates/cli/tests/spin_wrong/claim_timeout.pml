/* P waits for the second timeout with g == 1. Beside a claim, Spin takes timeout for true until the
   atomic sequence ends, and never stores that state. */
byte g;

active proctype P() {
	atomic {
		timeout;
		g = 1;
		timeout;
		g = 2
	}
}

ltl unseen { [] !(g == 1) }
