/* R and T wait for S, which may serve T for ever. */
chan c = [0] of { bit };
bit met;
active proctype S() { do :: c!0 od }
active proctype R() { bit x; do :: c?x -> met = 1 od }
active proctype T() { bit x; do :: c?x od }
ltl p { <> (met == 1) }
