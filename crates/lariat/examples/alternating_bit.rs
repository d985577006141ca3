//! The alternating bit protocol as actors, over an ordered network that loses messages. Bartlett,
//! Scantlebury, Wilkinson, *A note on reliable full-duplex transmission over half-duplex links*, 1969.

use lariat::actor::{self, Action, Actor, Id, Network, OutOf, System};
use lariat::{Check, Report, always, eventually, prop};
use std::process::ExitCode;

/// Items are numbered modulo this.
const ITEMS: u8 = 4;
/// At most so many messages are on their way.
const ROOM: usize = 2;

pub enum Node {
    Sender,
    Receiver,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    Data(bool, u8),
    Ack(bool),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct End {
    bit: bool,
    /// What is sent, or what was delivered last.
    item: u8,
    /// Nothing was lost, doubled or exchanged so far.
    is_right: bool,
}

impl Actor for Node {
    type State = End;
    type Message = Message;
    /// Send again.
    type Timer = ();

    fn start(&self, _: Id, out: &mut OutOf<Self>) -> End {
        out.set_timer(());
        match self {
            Node::Sender => End { bit: false, item: 0, is_right: true },
            Node::Receiver => End { bit: true, item: ITEMS - 1, is_right: true },
        }
    }

    fn receive(&self, _: Id, end: &mut End, _: Id, message: &Message, _: &mut OutOf<Self>) {
        match message {
            Message::Ack(bit) if *bit == end.bit => {
                (end.bit, end.item) = (!end.bit, (end.item + 1) % ITEMS);
            }
            Message::Data(bit, item) if *bit != end.bit => {
                end.is_right &= *item == (end.item + 1) % ITEMS;
                (end.bit, end.item) = (*bit, *item);
            }
            _ => {}
        }
    }

    fn timeout(&self, me: Id, end: &mut End, _: &(), out: &mut OutOf<Self>) {
        out.set_timer(());
        match self {
            Node::Sender => out.send(1 - me, Message::Data(end.bit, end.item)),
            Node::Receiver => out.send(1 - me, Message::Ack(end.bit)),
        }
    }
}

type Protocol = System<Node>;

pub fn protocol() -> Protocol {
    System::new([Node::Sender, Node::Receiver], Network::Ordered { loses: true })
        .within(|s| s.inboxes.iter().all(|inbox| inbox.iter().count() <= ROOM))
}

/// Only runs count on which deliveries that are possible again and again happen again and again, and
/// both ends send again and again; or all runs.
pub fn check(protocol: &Protocol, is_fair: bool) -> Report<Protocol> {
    let at =
        |item| prop(format!("item {item}"), move |s: &actor::State<Node>| s.actors[1].item == item);
    let check = Check::of(protocol)
        .always("right", |s| s.actors[1].is_right)
        .holds("goes on", always(eventually(at(0)) & eventually(at(1))));
    match is_fair {
        false => check.run(),
        true => check
            .strongly_fair_each(0..2, |action, me| matches!(action, Action::Timeout(who, ()) if who == me))
            .strongly_fair_each([false, true], |action, bit| {
                matches!(action, Action::Deliver(e) if matches!(e.message, Message::Data(b, _) if b == *bit))
            })
            .strongly_fair_each([false, true], |action, bit| {
                matches!(action, Action::Deliver(e) if e.message == Message::Ack(*bit))
            })
            .run(),
    }
}

pub fn main() -> ExitCode {
    print!("{}", check(&protocol(), false));
    let report = check(&protocol(), true);
    print!("{report}");
    report.exit_code()
}

#[test]
fn goes_on_if_not_all_is_lost() {
    let report = check(&protocol(), false);
    assert!(report.finding("right").verdict.is_ok());
    report.assert_violated("goes on");
    check(&protocol(), true).assert_ok();
}
