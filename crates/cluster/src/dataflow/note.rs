//! What workers tell each other beside the loop.

use timely::bytes::arc::Bytes;
use timely::communication::Bytesable;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Note {
    pub(super) from: u32,
    pub(super) what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A call, with its word.
    Call(u64),
    /// So much of what the other one has sent was taken.
    Taken(u64),
    /// The worker has come to this phase, and does nothing any more.
    Left(u64),
}

impl Bytesable for Note {
    /// As with packets: what cannot be read is an error of ours, and ends the run.
    fn from_bytes(bytes: Bytes) -> Self {
        read(&bytes).expect("a note")
    }

    fn length_in_bytes(&self) -> usize {
        16
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let (kind, value) = match self.what {
            What::Call(word) => (1_u32, word),
            What::Taken(bytes) => (2, bytes),
            What::Left(phase) => (3, phase),
        };
        let head = u64::from(kind) << 32 | u64::from(self.from);
        writer.write_all(&head.to_le_bytes()).expect("timely has made room");
        writer.write_all(&value.to_le_bytes()).expect("timely has made room");
    }
}

fn read(bytes: &[u8]) -> Option<Note> {
    let (head, rest) = bytes.split_first_chunk()?;
    let (head, value) = (u64::from_le_bytes(*head), u64::from_le_bytes(*rest.first_chunk()?));
    let what = match head >> 32 {
        1 => What::Call(value),
        2 => What::Taken(value),
        3 => What::Left(value),
        _ => return None,
    };
    Some(Note { from: head as u32, what })
}
