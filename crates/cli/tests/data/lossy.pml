chan c = [1] of { byte };

active proctype P()
{
	c!1;
	c!2;
	assert(len(c) == 1)
}
