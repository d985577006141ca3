/* spin: 13 states, 13 transitions, depth 9, 0 errors */
byte x; chan c = [1] of {byte};
active proctype P() { atomic { x = 1; timeout; x = 2; c!1 } }
active proctype Q() { byte v; if :: c?v :: timeout -> x = x + 5 fi; x++ }
