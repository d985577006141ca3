/* A takes the lock again and again; B needs it once. */
bit lock, done;
active proctype A() { do :: lock == 0 -> atomic { lock == 0; lock = 1 }; lock = 0 od }
active proctype B() { atomic { lock == 0; lock = 1 }; done = 1; lock = 0 }
ltl served { <> (done == 1) }
