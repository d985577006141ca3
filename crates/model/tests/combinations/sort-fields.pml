/* spin: 18 states, 18 transitions, depth 17, 0 errors */
chan c = [5] of { byte, short, byte }; byte x, z; short y;
active proctype P() { c!!2,-3,1; c!!2,-5,9; c!!1,7,7; c!!2,-5,2; c!!0,0,0; do :: c?x,y,z -> printf("%d %d %d\n", x, y, z) :: empty(c) -> break od }
