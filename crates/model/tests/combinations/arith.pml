/* spin: 15 states, 15 transitions, depth 14, 0 errors */
int i = -7; short s; byte b; bit t;
active proctype P() { s = i * 10000; b = i; t = i; i = i / 2; i = i % 2; i = i << 3; i = i >> 1; i = ~i; i = -i; i = i ^ 5; i = i | 8; i = i & 12; b = (i > 3 -> b : 1) }
