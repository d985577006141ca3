/* <script>alert(1)</script> <img src=x onerror=alert(1)> */
mtype = { script, img };
chan c = [1] of { mtype };
byte x;

active proctype a() {
  printf("<img src=x onerror=alert(1)><script>alert(2)</script>\n");
  c!script;
  x = ('<' - 60) + 1;
  c?script
}

ltl script { [] (x < 1) }
