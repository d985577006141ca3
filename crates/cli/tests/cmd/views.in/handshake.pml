/* A client that asks and a server that may drop what it hears. */
mtype = { ask, answer }
chan to_server = [1] of { mtype };
chan to_client = [0] of { mtype };
byte answers;

active proctype Client() {
  do
  :: to_server ! ask;
     if
     :: to_client ? answer; answers = 1
     :: timeout
     fi;
     answers = 0
  od
}

active proctype Server() {
  do
  :: to_server ? ask ->
     if
     :: to_client ! answer
     :: skip
     fi
  od
}

ltl answered { [] <> (answers == 1) }
