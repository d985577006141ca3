/* spin: 37 states, 58 transitions, depth 14, 1 errors */
chan c = [0] of { byte }; chan k = [0] of { bit }; byte x;
active proctype P() { { do :: c?x -> skip od } unless { k?1 -> x = 99 } }
active proctype Q() { c!1; c!2; k!1 }
active proctype R() { c!7 }
