/*
 * net: expect violated: ltl <> (a == 50)
 * net: expect violated: ltl []<> (a == 3)
 * net: expect violated: ltl <>[] (a == 30)
 * net: expect violated: ltl []<>(a == 30) -> []<> (b == 3)
 * Made by hand. The cycles are so deep that --set-after 30 --elimination comes to them without numbers
 * (mistakes owcty-count, owcty-level, owcty-marks); so do --cndfs and --ufscc.
 */
byte a, b;
active proctype p() { do :: a < 40 -> a++ :: a == 40 -> a = 25 od }
active proctype q() { do :: b < 9 -> b++ od }
