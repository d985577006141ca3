/* Two clients and a server: the picture of a chart. Without fairness, a client may wait for ever. */
mtype = { ask, answer };
chan to_server = [2] of { mtype, byte };
chan to_client[2] = [1] of { mtype };
byte served;

active [2] proctype Client() {
  do
  :: to_server!ask,_pid;
waits:
     to_client[_pid]?answer
  od
}

active proctype Server() {
  byte who;
  do
  :: to_server?ask,who;
     served = who;
     to_client[who]!answer
  od
}

ltl answered { [] (Client[0]@waits -> <> !Client[0]@waits) }
