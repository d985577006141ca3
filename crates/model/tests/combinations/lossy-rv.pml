/* spin -m: 32 states, 45 transitions, depth 11, 0 errors */
chan c = [0] of { byte }; chan d = [1] of { byte, byte }; byte x;
active proctype P() { c!1; d!!2,1; d!!1,1; atomic { d!3,3; x = 1; d!4,4 } }
active proctype Q() { byte v; c?v; if :: full(d) -> d?v,_ :: nempty(d) -> d??2,v fi }
