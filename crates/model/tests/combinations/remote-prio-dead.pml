/* spin: 16 states, 22 transitions, depth 7, 0 errors */
byte x;
proctype W() priority 3 { skip }
init { pid p; p = run W(); x = W[p]:_priority; x = W[p]:_priority + 5; x = W[4]:_priority }
