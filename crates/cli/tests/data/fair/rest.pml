/* The one process ends, and a is 0 for ever. */
byte a;
active proctype P() { skip }
ltl p { <> [] (a == 1) }
