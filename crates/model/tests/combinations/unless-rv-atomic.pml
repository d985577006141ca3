/* spin: 59 states, 86 transitions, depth 23, 0 errors */
chan c = [0] of { byte, bit };
byte x, y;
active proctype S() { byte i; do :: i < 3 -> atomic { c!i,1; i++; x = i } :: else -> break od }
active proctype R() { byte v; { do :: c?v,_ -> y = v :: c?eval(y),1 -> y++ od } unless { x == 3 && y > 0 -> y = 100 } }
