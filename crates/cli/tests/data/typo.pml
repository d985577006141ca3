byte count;

active proctype P()
{
	cuont = 1;
	count = 300;
	assert(count == limit)
}
