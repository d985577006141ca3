byte x = 3;

active proctype P()
{
	do
	:: x > 0 -> x--
	:: x == 0 -> x = 6 / x
	od
}
