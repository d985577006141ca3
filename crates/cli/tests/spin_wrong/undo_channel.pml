/* Safe. Going back over the receive, Spin evaluates the index of the channel anew: it puts the
   message into qs[1], finds qs[0] empty in the second option, and reports a violated assertion. */
byte a;
chan qs[2] = [1] of { byte };

init {
	qs[0]!1;
	if
	:: qs[a & 1]?a
	:: assert(len(qs[0]) == 1 && len(qs[1]) == 0)
	fi
}
