/* spin: 89 states, 134 transitions, depth 14, 4 errors */
byte x; chan c = [1] of { byte };
active proctype P() { do :: { x = 1; c!x; x = 2 } unless { x == 5 -> break } :: x == 7 -> x = 0; break od; x = x + 10 }
active proctype Q() { byte v; c?v; if :: x = 5 :: x = 7 fi; c?v }
