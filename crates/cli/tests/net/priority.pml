/*
 * net: expect holds: safety
 * net: expect holds: reach a == 3
 * net: expect violated: reach a == 2
 * net: expect holds: ltl <> (a == 2)
 * Who is low moves only while nobody above is provided and enabled.
 */
byte a, b;
active proctype Low() priority 1 { do :: a = 1; if :: a == 1 -> assert(false) :: a == 0 -> b = 1 - b :: a == 2 -> a = 0 fi od }
active proctype High() priority 5 provided (b == 0) { do :: a == 1 -> a = 0 od }
active proctype Middle() priority 3 { do :: a == 1 -> a = 2 od }
