/*
 * net: expect violated: assertions
 * The trace objects to a message that is offered while nobody can receive it.
 */
byte a;
chan c = [0] of { byte };
trace { do :: c!0; c?0 :: c!1; c?1 od }
active proctype S() { a == 2; do :: c!2 od }
active proctype R() { a = 1; a = 2; do :: a == 3 -> c?_ od }
