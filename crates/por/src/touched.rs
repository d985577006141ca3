//! What commands touch, and which touches conflict.

use lariat_core::makes_mistake;

use crate::set::{Bytes, Ids};

/// What is done with a channel. A rendezvous channel is offered to and accepted from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Use {
    /// Appends a message, where there is room.
    Send,
    /// Where the message goes depends on the others.
    SortedSend,
    /// Takes a message that is there.
    Receive,
    Peek,
    /// `len`, `full` and the like, `c?[…]`.
    Test,
    /// An operation inside an atomic sequence or a `d_step`: whether it is possible decides how
    /// the step goes on, so it asks for more than its own success.
    Any,
    Offer,
    Accept,
    /// Comes to a control point where a rendezvous is waited for, or leaves it.
    Ready,
    /// The same where one is offered. Only fairness asks who could take part.
    Calling,
    /// The channel is gone, or there is a new one.
    Free,
    Create,
}

impl Use {
    pub(crate) const ALL: [Use; 12] = [
        Use::Send,
        Use::SortedSend,
        Use::Receive,
        Use::Peek,
        Use::Test,
        Use::Any,
        Use::Offer,
        Use::Accept,
        Use::Ready,
        Use::Calling,
        Use::Free,
        Use::Create,
    ];

    /// Uses of one channel by two processes that may not commute, or one of which may disable
    /// the other. Symmetric. Not here: a send and a receive that are both possible, as the channel is
    /// neither full nor empty then.
    pub(crate) fn conflicts(self) -> &'static [Use] {
        use Use::*;
        match self {
            Send => &[Send, SortedSend, Test, Any, Free, Create],
            SortedSend => &[Send, SortedSend, Receive, Peek, Test, Any, Free, Create],
            Receive if makes_mistake("por-receive-receive") => &[SortedSend, Test, Any],
            Receive => &[SortedSend, Receive, Peek, Test, Any, Free, Create],
            Peek => &[SortedSend, Receive, Any, Free, Create],
            Test if makes_mistake("por-test") => &[],
            Test => &[Send, SortedSend, Receive, Any, Free, Create],
            Any => {
                &[Send, SortedSend, Receive, Peek, Test, Any, Offer, Accept, Ready, Free, Create]
            }
            Offer if makes_mistake("por-rendezvous") => &[],
            Accept if makes_mistake("por-rendezvous") => &[],
            Offer => &[Any, Accept, Free, Create],
            Accept => &[Any, Offer, Free, Create],
            Ready if makes_mistake("por-readiness") => &[],
            Ready => &[Any],
            Calling => &[],
            Free | Create if makes_mistake("por-own-channels") => &[],
            Free | Create => &[Send, SortedSend, Receive, Peek, Test, Any, Offer, Accept],
        }
    }
}

/// What a command touches, or all that a process may still touch. Locals are left out: only
/// their process touches them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Touched {
    pub(crate) reads: Bytes,
    /// Those of the reads that decide whether a command can be executed.
    pub(crate) conditions: Bytes,
    pub(crate) writes: Bytes,
    uses: [Ids; Use::ALL.len()],
    /// Starts processes, ends one, looks at how many there are.
    pub(crate) starts: bool,
    pub(crate) ends: bool,
    pub(crate) counts: bool,
    /// Perhaps everything.
    pub(crate) everything: bool,
}

impl Touched {
    /// Of a model with so many bytes of globals.
    pub(crate) fn nothing(globals: u32) -> Touched {
        Touched {
            reads: Bytes::none(globals),
            conditions: Bytes::none(globals),
            writes: Bytes::none(globals),
            uses: Default::default(),
            starts: false,
            ends: false,
            counts: false,
            everything: false,
        }
    }

    pub(crate) fn uses(&self, how: Use) -> Ids {
        self.uses[how as usize]
    }

    pub(crate) fn add_use(&mut self, how: Use, ids: Ids) {
        self.uses[how as usize] = self.uses[how as usize].or(ids);
    }

    /// The channels that something is done with, except to come and go.
    pub(crate) fn channels(&self) -> Ids {
        let used = Use::ALL.into_iter().filter(|&how| how != Use::Ready && how != Use::Calling);
        used.fold(Ids::default(), |ids, how| ids.or(self.uses(how)))
    }

    pub(crate) fn join(&mut self, other: &Touched) {
        self.reads.join(&other.reads);
        self.conditions.join(&other.conditions);
        self.writes.join(&other.writes);
        Use::ALL.into_iter().for_each(|how| self.add_use(how, other.uses(how)));
        self.starts |= other.starts;
        self.ends |= other.ends;
        self.counts |= other.counts;
        self.everything |= other.everything;
    }

    /// What the question whether this can be executed touches.
    pub(crate) fn tested(&self, globals: u32) -> Touched {
        let mut tests = Touched::nothing(globals);
        tests.reads.join(&self.conditions);
        tests.conditions.join(&self.conditions);
        for how in [Use::Send, Use::SortedSend, Use::Receive, Use::Peek, Use::Test, Use::Any] {
            tests.add_use(Use::Test, self.uses(how));
        }
        // Whether somebody waits at the other end.
        for how in [Use::Offer, Use::Accept] {
            tests.add_use(Use::Any, self.uses(how));
        }
        tests.counts = self.counts | self.ends;
        tests.everything = self.everything;
        tests
    }

    /// Whether a command that touches this and something that another process does may disable
    /// each other, or may have another result in the other order. Symmetric.
    pub(crate) fn conflicts(&self, other: &Touched) -> bool {
        self.everything
            || other.everything
            || self.writes.meets(&other.reads)
            || self.writes.meets(&other.writes)
            || self.reads.meets(&other.writes)
            || self.process_conflict(other)
            || other.process_conflict(self)
            || Use::ALL.into_iter().any(|how| {
                let ids = self.uses(how);
                let conflicts = how.conflicts().iter();
                !ids.is_empty() && conflicts.into_iter().any(|&with| ids.meets(other.uses(with)))
            })
    }

    /// Starting a process gives it a pid, and ending one frees a pid.
    fn process_conflict(&self, other: &Touched) -> bool {
        let start = self.starts && other.starts && !makes_mistake("por-run");
        let end = self.ends && other.starts && !makes_mistake("por-end");
        let changes = self.starts || self.ends;
        start || end || changes && other.counts && !makes_mistake("por-process-count")
    }

    /// Whether a command that touches this may change whether another process, which may touch
    /// `other`, can move (condition F of docs/por.md).
    pub(crate) fn disturbs(&self, other: &Touched) -> bool {
        if makes_mistake("por-f") {
            return false;
        }
        let meets = |how| !self.uses(how).is_empty();
        let senders = other.uses(Use::Offer).or(other.uses(Use::Any));
        let receivers = other.uses(Use::Accept).or(other.uses(Use::Any));
        self.everything
            || other.everything
            || self.starts
            || self.ends
            || meets(Use::Offer)
            || meets(Use::Accept)
            || self.writes.meets(&other.conditions)
            || self.channels().meets(other.channels())
            || self.uses(Use::Ready).meets(senders)
            || self.uses(Use::Calling).meets(receivers)
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Touched>() + self.reads.bytes() + self.conditions.bytes() + self.writes.bytes()
    }
}

/// What may make a false condition true.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Enablers {
    /// Bytes that it reads.
    reads: Bytes,
    uses: Vec<(Use, Ids)>,
    /// It looks at how many processes there are.
    counts: bool,
    everything: bool,
}

impl Enablers {
    pub(crate) fn nobody(globals: u32) -> Enablers {
        Enablers { reads: Bytes::none(globals), uses: Vec::new(), counts: false, everything: false }
    }

    /// Whoever changes what an expression looks at.
    pub(crate) fn of_reads(mut self, touched: &Touched) -> Enablers {
        self.reads.join(&touched.reads);
        self.of_conditions(touched)
    }

    /// Whoever changes what the condition of a command looks at, apart from its own channel.
    pub(crate) fn of_conditions(mut self, touched: &Touched) -> Enablers {
        self.reads.join(&touched.conditions);
        self.counts |= touched.counts | touched.ends;
        self.everything |= touched.everything;
        let tested = touched.uses(Use::Test);
        if !tested.is_empty() {
            self = self.by(&[Use::Send, Use::SortedSend, Use::Receive], tested);
            self = self.by(&[Use::Any, Use::Free, Use::Create], tested);
        }
        self
    }

    /// Whoever uses channels in these ways.
    pub(crate) fn by(mut self, how: &[Use], ids: Ids) -> Enablers {
        self.uses.extend(how.iter().map(|&how| (how, ids)));
        self
    }

    pub(crate) fn are_in(&self, future: &Touched) -> bool {
        self.everything
            || future.everything
            || self.reads.meets(&future.writes)
            || self.counts && (future.starts || future.ends)
            || self.uses.iter().any(|&(how, ids)| ids.meets(future.uses(how)))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Enablers>() + self.reads.bytes() + size_of_val(&self.uses[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_of_uses_are_symmetric() {
        for one in Use::ALL {
            for other in Use::ALL {
                let (there, back) =
                    (one.conflicts().contains(&other), other.conflicts().contains(&one));
                assert_eq!(there, back, "{one:?} and {other:?}");
            }
        }
    }
}
