byte x;
init { x = 1; x = 2 }
