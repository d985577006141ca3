/* spin: 16 states, 22 transitions, depth 7, 0 errors */
byte x;
proctype W() { skip }
init { pid p; p = run W(); x = W[p]:_pid; x = W[p]:_pid + 5; x = W[4]:_pid }
