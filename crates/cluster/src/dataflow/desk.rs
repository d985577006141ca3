//! What a worker and its operator have in common: what is to be sent, what has come, and the right to send.

use super::note::Note;
use super::packet::{Direct, Packet};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use timely::communication::{Pull, Push};
use timely::dataflow::operators::generic::builder_rc::OperatorBuilder;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

/// Phase and round. Both have 64 bits, so neither runs out.
type Time = u128;

/// When a phase begins.
fn begin(phase: u64) -> Time {
    Time::from(phase) << 64
}

fn phase_of(time: Time) -> u64 {
    (time >> 64) as u64
}

/// What has come from one worker in one phase.
pub(super) struct Parcel {
    pub(super) phase: u64,
    pub(super) from: usize,
    pub(super) bytes: Vec<u8>,
}

pub(super) struct Desk {
    /// How often this worker has heard that a phase is over.
    pub(super) phase: u64,
    pub(super) is_resting: bool,
    /// What goes out next.
    pub(super) outbox: Vec<Packet>,
    /// What has come, also of the next phase.
    pub(super) inbox: VecDeque<Parcel>,
    /// The right to send in this phase. None while this worker rests.
    now: Option<Capability<Time>>,
    /// The right to send from the next phase on.
    next: Capability<Time>,
    /// Nothing can come before this time.
    first: Time,
}

impl Desk {
    fn new(mut capability: Capability<Time>) -> Desk {
        let now = Some(capability.clone());
        capability.downgrade(&begin(1));
        let (outbox, inbox) = (Vec::new(), VecDeque::new());
        Desk { phase: 0, is_resting: false, outbox, inbox, now, next: capability, first: 0 }
    }

    /// What has come in this phase.
    pub(super) fn take(&mut self) -> Option<Parcel> {
        self.inbox.pop_front_if(|parcel| parcel.phase == self.phase)
    }

    /// All rest, and nothing is on its way.
    pub(super) fn is_over(&self) -> bool {
        self.is_resting && self.now.is_none() && self.first >= begin(self.phase + 1)
    }

    /// This worker has heard that the phase is over.
    pub(super) fn begin_next(&mut self) {
        self.phase += 1;
        self.is_resting = false;
        self.now = Some(self.next.clone());
        self.next.downgrade(&begin(self.phase + 1));
    }

    fn is_message_there(&self) -> bool {
        self.inbox.front().is_some_and(|parcel| parcel.phase == self.phase)
    }
}

/// What the dataflow gives to its worker.
pub(super) struct Ends {
    pub(super) desk: Rc<RefCell<Desk>>,
    /// Has the operator look at the desk.
    pub(super) activator: Activator,
    pub(super) tell: Vec<Box<dyn Push<Note>>>,
    pub(super) hear: Box<dyn Pull<Note>>,
}

/// Makes the loop. All workers do, in the same order of steps: timely numbers channels by it.
pub(super) fn build(worker: &mut Worker) -> Ends {
    worker.dataflow::<Time, _, _>(|scope| {
        let (handle, cycle) = scope.feedback::<Packet>(1);
        let mut builder = OperatorBuilder::new("exchange".to_string(), scope);
        let address = builder.operator_info().address;
        let mut input = builder.new_input(cycle, Direct);
        let (mut output, looped) = builder.new_output();
        // A note wakes the operator, and so the worker.
        let channel = scope.worker().new_identifier();
        let (tell, hear) = scope.worker().allocate::<Note>(channel, address.clone());
        let activator = scope.activator_for(address);
        let mut made = None;
        builder.build(|mut capabilities| {
            let capability = capabilities.pop().expect("one for each output");
            let desk = Rc::new(RefCell::new(Desk::new(capability)));
            made = Some(desk.clone());
            move |frontiers| {
                let desk = &mut *desk.borrow_mut();
                input.for_each(|time, packet| {
                    let (phase, from) = (phase_of(*time.time()), packet.from as usize);
                    // It wakes who rests. What is of the next phase needs no right of its own: that for the next phase is held.
                    if phase == desk.phase && desk.now.is_none() {
                        desk.now = Some(time.retain(0));
                    }
                    let parcels =
                        packet.messages.drain(..).map(|bytes| Parcel { phase, from, bytes });
                    desk.inbox.extend(parcels);
                });
                if let Some(now) = desk.now.as_ref().filter(|_| !desk.outbox.is_empty()) {
                    let mut output = output.activate();
                    desk.outbox.drain(..).for_each(|mut packet| output.give(now, &mut packet));
                }
                if desk.is_resting && !desk.is_message_there() {
                    desk.now = None;
                }
                desk.first = frontiers[0].frontier().first().copied().unwrap_or(Time::MAX);
            }
        });
        let desk = made.expect("the operator was made");
        looped.connect_loop(handle);
        Ends { desk, activator, tell, hear }
    })
}
