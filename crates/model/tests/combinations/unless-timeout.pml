/* spin: 8 states, 9 transitions, depth 7, 0 errors */
byte x; chan c = [0] of { byte };
active proctype P() { byte v; { c?v; x = v; c?v } unless { timeout -> x = 50 } }
active proctype Q() { c!4 }
