/*
 * net: expect violated: assertions
 * net: expect holds: fair=weak ltl <> (a == 3)
 * What a hidden variable holds decides several steps later, in another process.
 */
hidden byte g, h;
byte a;
active proctype P() { do :: a == 0 -> h = 2; a = 1 :: a == 2 -> g = h; a = (g == 2 -> 3 : 4) od }
active proctype Q() { do :: a == 1 -> a = 2 :: a == 3 -> assert(h != 2) od }
