//! `bench/models/election.pml` in Rust, statement by statement.

use lariat::{Model, State, Steps};

/// Places of a channel.
const ROOM: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum At {
    Start,
    Listen,
    Compare,
    PassOn,
    Ignore,
    Win,
    End,
}

/// A channel; behind its messages there are zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Channel {
    len: u8,
    places: [u8; ROOM],
}

impl Channel {
    fn send(&mut self, message: u8) {
        self.places[usize::from(self.len)] = message;
        self.len += 1;
    }

    fn receive(&mut self) {
        self.places.rotate_left(1);
        self.places[ROOM - 1] = 0;
        self.len -= 1;
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub(crate) struct Ring {
    #[state(each)]
    pub(crate) nodes: Vec<(At, u8)>,
    #[state(each)]
    channels: Vec<Channel>,
    pub(crate) leaders: u8,
    /// Before the nodes are there; while the first process waits for a leader; when it is done.
    init: u8,
}

/// So many nodes.
pub(crate) struct Election(pub(crate) usize);

impl Model for Election {
    type State = Ring;
    type Action = usize;

    fn initial(&self) -> Vec<Ring> {
        let (nodes, channels) = (vec![(At::Start, 0); self.0], vec![Channel::default(); self.0]);
        vec![Ring { nodes, channels, leaders: 0, init: 0 }]
    }

    fn steps(&self, s: &Ring, to: &mut Steps<'_, Self>) {
        if s.init == 0 {
            return to.step(0, |s| s.init = 1);
        }
        if s.init == 1 && s.leaders == 1 {
            to.step(0, |s| s.init = 2);
        }
        for me in 0..self.0 {
            let (at, heard) = s.nodes[me];
            let (number, next) = ((me * 3 % self.0 + 1) as u8, (me + 1) % self.0);
            let has_room = usize::from(s.channels[next].len) < ROOM;
            let mut send = |message| {
                if has_room {
                    to.step(me + 1, |s| {
                        s.channels[next].send(message);
                        s.nodes[me].0 = At::Listen;
                    });
                }
            };
            match at {
                At::Start => send(number),
                At::PassOn => send(heard),
                At::Listen => {
                    let Channel { len, places: [first, ..] } = s.channels[me];
                    if len > 0 {
                        to.step(me + 1, |s| {
                            s.channels[me].receive();
                            s.nodes[me] = (At::Compare, first);
                        });
                    }
                }
                At::Compare if heard > number => to.step(me + 1, |s| s.nodes[me].0 = At::PassOn),
                At::Compare if heard < number => to.step(me + 1, |s| s.nodes[me].0 = At::Ignore),
                At::Compare => to.step(me + 1, |s| s.nodes[me].0 = At::Win),
                At::Ignore => to.step(me + 1, |s| s.nodes[me].0 = At::Listen),
                At::Win => to.step(me + 1, |s| {
                    s.leaders += 1;
                    s.nodes[me].0 = At::End;
                }),
                At::End => {}
            }
        }
    }
}
