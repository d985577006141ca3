/* Safe. Going back over the first receive, Spin puts the variable's value back into the channel.
   The variable has three bits, so 253 comes back as 5. */
unsigned small : 3;
byte large;
chan c = [1] of { byte };

init {
	c!253;
	if
	:: c?small
	:: c?large -> assert(large == 253)
	fi
}
