/* Safe. Going back over the increment, Spin evaluates the index anew: it takes the 1 from a[1],
   finds a[0] == 1 and a[1] == 255 in the second option, and reports a violated assertion. */
byte a[2];

init {
	if
	:: a[a[0] & 1]++
	:: assert(a[0] == 0 && a[1] == 0)
	fi
}
