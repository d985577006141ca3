/* Reliable multicast with a transmit window, after PGM (RFC 3208): states are wide, and most words have many values.
 *
 * A source numbers its messages, keeps them in a window and sends them to all receivers, over links that lose and hold a few. Who sees a
 * gap asks for the message that is missing; the source repairs it from its window, which moves on when all have it.
 * Payloads depend on what was sent before, and everybody keeps a sum of what he has delivered.
 */
#ifndef R
#define R 3 /* receivers */
#endif
#ifndef M
#define M 5 /* messages */
#endif
#define W 8 /* messages in the window */
#define Q 3 /* messages in a link */

typedef Message { int seq; int data; int kind; int check }
typedef Link { Message slot[Q]; byte count }
typedef Receiver { int data[W]; int check[W]; int asked[Q]; byte questions; byte next; int sum }

int window[W];
int checks[W];
int last = 1;
byte first, next;
Link link[R];
Receiver receiver[R];

#define mix(a, b) (((a) * 31 + (b) * 7 + 3) & 4095)

inline send(to, s, k) {
    if
    :: link[to].count < Q ->
        link[to].slot[link[to].count].seq = s + 1;
        link[to].slot[link[to].count].data = window[s % W];
        link[to].slot[link[to].count].kind = k;
        link[to].slot[link[to].count].check = checks[s % W];
        link[to].count++
    :: else
    fi
}

active proctype Source() {
    byte i;
end: do
    :: next < M && next - first < W -> d_step {
            last = mix(last, 1);
            window[next % W] = last; checks[next % W] = mix(last, next);
            i = 0;
            do :: i < R -> send(i, next, 1); i++ :: else -> break od;
            i = 0; next++
        }
    :: next < M && next - first < W -> d_step {
            last = mix(last, 2);
            window[next % W] = last; checks[next % W] = mix(last, next);
            i = 0;
            do :: i < R -> send(i, next, 1); i++ :: else -> break od;
            i = 0; next++
        }
    :: first < next && receiver[0].next > first && receiver[1].next > first && receiver[R - 1].next > first -> d_step {
            window[first % W] = 0; checks[first % W] = 0; first++
        }
    od
}

/* Takes what is in front of a link. */
inline shift(l) {
    i = 1;
    do
    :: i < Q ->
        l.slot[i - 1].seq = l.slot[i].seq; l.slot[i - 1].data = l.slot[i].data;
        l.slot[i - 1].kind = l.slot[i].kind; l.slot[i - 1].check = l.slot[i].check;
        i++
    :: else -> break
    od;
    l.slot[Q - 1].seq = 0; l.slot[Q - 1].data = 0; l.slot[Q - 1].kind = 0; l.slot[Q - 1].check = 0;
    l.count--; i = 0
}

active [R] proctype Member() {
    byte i;
    byte me = _pid - 1;
    byte seq;
end: do
    :: link[me].count > 0 -> d_step { shift(link[me]) } /* lost */
    :: link[me].count > 0 -> d_step {
            seq = link[me].slot[0].seq - 1;
            if
            :: seq >= receiver[me].next && receiver[me].data[seq % W] == 0 ->
                receiver[me].data[seq % W] = link[me].slot[0].data;
                receiver[me].check[seq % W] = link[me].slot[0].check
            :: else
            fi;
            if
            :: seq > receiver[me].next && receiver[me].questions < Q && link[me].slot[0].kind == 1 ->
                receiver[me].asked[receiver[me].questions] = receiver[me].next + 1;
                receiver[me].questions++
            :: else
            fi;
            seq = 0;
            shift(link[me])
        }
    :: receiver[me].data[receiver[me].next % W] != 0 -> d_step {
            seq = receiver[me].next % W;
            assert(receiver[me].check[seq] == mix(receiver[me].data[seq], receiver[me].next));
            receiver[me].sum = mix(receiver[me].sum, receiver[me].data[seq]);
            receiver[me].data[seq] = 0; receiver[me].check[seq] = 0;
            receiver[me].next++; seq = 0
        }
    :: receiver[me].questions > 0 -> d_step {
            seq = receiver[me].asked[0] - 1;
            if :: seq >= first && seq < next -> send(me, seq, 2) :: else fi;
            i = 1;
            do :: i < Q -> receiver[me].asked[i - 1] = receiver[me].asked[i]; i++ :: else -> break od;
            receiver[me].asked[Q - 1] = 0; receiver[me].questions--;
            i = 0; seq = 0
        }
    :: receiver[me].questions == 0 && link[me].count == 0 && receiver[me].next < next -> /* heard nothing for long */
        d_step { receiver[me].asked[0] = receiver[me].next + 1; receiver[me].questions = 1 }
    od
}
