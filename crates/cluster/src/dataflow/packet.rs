//! Messages from one worker to another that travel together.

use std::rc::Rc;
use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::{Pull, Push};
use timely::dataflow::channels::pact::ParallelizationContract;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::logging::TimelyLogger;
use timely::progress::Timestamp;
use timely::worker::Worker;

#[derive(Default, Debug)]
pub(super) struct Packet {
    /// Not sent: whoever gets it knows.
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) messages: Vec<Vec<u8>>,
}

impl Accountable for Packet {
    fn record_count(&self) -> i64 {
        self.messages.len() as i64
    }
}

/// On the wire: from, number of messages, their lengths, and all their bytes.
impl ContainerBytes for Packet {
    /// timely has no way to refuse what comes: the worker panics, which ends the run. Only an error of ours can be the reason, because strangers do not get here.
    fn from_bytes(bytes: Bytes) -> Self {
        read(&bytes).expect("a packet of messages")
    }

    fn length_in_bytes(&self) -> usize {
        8 + self.messages.iter().map(|message| 4 + message.len()).sum::<usize>()
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let lengths = self.messages.iter().map(|message| message.len() as u32);
        let mut put = |bytes: &[u8]| writer.write_all(bytes).expect("timely has made room");
        put(&self.from.to_le_bytes());
        put(&(self.messages.len() as u32).to_le_bytes());
        lengths.for_each(|length| put(&length.to_le_bytes()));
        self.messages.iter().for_each(|message| put(message));
    }
}

fn read(mut bytes: &[u8]) -> Option<Packet> {
    let mut take = |n: usize| {
        let (first, rest) = bytes.split_at_checked(n)?;
        bytes = rest;
        Some(first)
    };
    let word = |bytes: &[u8]| bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
    let from = word(take(4)?)?;
    let number = word(take(4)?)? as usize;
    let lengths = take(number.checked_mul(4)?)?;
    let messages =
        lengths.chunks_exact(4).map(|length| Some(take(word(length)? as usize)?.to_vec()));
    let messages = messages.collect::<Option<_>>()?;
    bytes.is_empty().then_some(Packet { to: 0, from, messages })
}

/// Packets go where they say.
pub(super) struct Direct;

impl<T: Timestamp> ParallelizationContract<T, Packet> for Direct {
    type Pusher = Pushers<T>;
    type Puller = Box<dyn Pull<Message<T, Packet>>>;

    fn connect(
        self,
        worker: &Worker,
        identifier: usize,
        address: Rc<[usize]>,
        _: Option<TimelyLogger>,
    ) -> (Self::Pusher, Self::Puller) {
        let (pushers, puller) = worker.allocate(identifier, address);
        (Pushers(pushers), puller)
    }
}

/// The ways to all workers.
pub(super) struct Pushers<T>(Vec<Box<dyn Push<Message<T, Packet>>>>);

impl<T> Push<Message<T, Packet>> for Pushers<T> {
    /// What is pushed goes out at once, so there is nothing to flush; to pass that on would wake everybody.
    fn push(&mut self, message: &mut Option<Message<T, Packet>>) {
        if let Some(packet) = message.as_ref().map(|message| &message.data) {
            self.0[packet.to as usize].push(message);
        }
    }
}
