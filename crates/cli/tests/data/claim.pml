byte x;
init { x = 1; x = 2; x = 3 }
never { do :: x == 2 -> break :: else od }
