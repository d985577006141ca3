/* Safe. Going back over the first receive, Spin puts the present value of g back into the field
   that eval(g) has matched: the message 1,7 comes back as 7,7. */
byte g = 1, y;
chan c = [1] of { byte, byte };

init {
	c!1,7;
	if
	:: c?eval(g),g
	:: c?y,_ -> assert(y == 1)
	fi
}
