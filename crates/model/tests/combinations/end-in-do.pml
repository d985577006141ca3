/* spin: 16 states, 21 transitions, depth 10, 0 errors */
chan c = [1] of { byte }; byte x;
active proctype P() { endloop: do :: c?x -> if :: x > 1 -> goto stop :: else fi od; stop: skip }
active proctype Q() { c!1; c!2; c!3 }
