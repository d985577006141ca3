/* spin: 15 states, 17 transitions, depth 9, 1 errors */
mtype:fruit = { apple, pear };
mtype:size = { small, big, huge };
mtype = { one, two };
mtype:fruit f; mtype:size z; mtype m;
chan c = [2] of { mtype:fruit, mtype:size, mtype };
active proctype P() { if :: f = apple :: f = pear fi; c!f,big,one; c!pear,small,two }
active proctype Q() { mtype:size k; c?apple,k,m; z = k; c?pear,z,_; printf("%e %e\n", z, m) }
