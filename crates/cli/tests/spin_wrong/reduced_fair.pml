/* A fair run in which `other` takes every message: whenever the channel is empty, `waiting`
   cannot move, so nobody is unfair to it. Spin's reduction lets `sender` send first whenever it
   can, so the channel is never empty and such a run is lost. */
chan c = [2] of { bit };
bit got;

active proctype sender() { xs c; do :: c!1 od }
active proctype other() { do :: c?1 od }
active proctype waiting() { c?1; got = 1 }

ltl served { <> got }
