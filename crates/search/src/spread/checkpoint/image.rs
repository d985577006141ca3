//! A worker's part of a search in a file, and back.
//!
//! ```text
//! HEADER  what it is a part of, and where the search is
//! OWN     what this worker has counted
//! STATES  states, and what is kept of each
//! NOW     those that are left of the level at hand
//! NEXT    those that wait for the next level
//! SAID    what was said of states, and could not be taken
//! BEYOND  numbers that are kept of states beside the set
//! LAST    how many of each there are
//! ```
//!
//! States are written as a worker sends them to another one that knows nothing (`wire`): definitions of the parts come with the first state that has them.

use std::io;
use std::path::PathBuf;

use lariat_core::{Broken, Word, makes_mistake};
use lariat_store::{Keys, SharedSession};
use lariat_system::{Stop, System};

use super::file::{Blocks, Writer};
use super::{Header, Keeper, Resumed};
use crate::spread::parts::{Parts, owner};
use crate::spread::shard::{Expander, Own, Shard};
use crate::spread::status::{Agreed, End, Halted, agree};
use crate::spread::wire::{Malformed, NotTaken, Reader, Said, Wire};

pub(super) const HEADER: u8 = 1;
const OWN: u8 = 2;
const STATES: u8 = 3;
const NOW: u8 = 4;
const NEXT: u8 = 5;
const SAID: u8 = 6;
const BEYOND: u8 = 7;
const LAST: u8 = 8;

/// Of which there are states.
const KINDS: [u8; 5] = [STATES, NOW, NEXT, SAID, BEYOND];
/// States of the set that are looked at together.
const TOGETHER: usize = 8_192;

/// Bytes that are said of each state in a block.
fn extra(kind: u8, keys: Keys) -> usize {
    match kind {
        STATES => keys.payload().div_ceil(8) as usize,
        SAID | BEYOND => 8,
        _ => 0,
    }
}

/// What a search has beside its states.
#[derive(Default)]
pub(in crate::spread) struct Beside {
    /// What a worker has counted; when it was read, for each file that this worker is the heir of.
    pub(in crate::spread) own: Vec<Vec<u8>>,
    /// Numbers that are kept of states beside the set, by their keys.
    pub(in crate::spread) beyond: Vec<(u64, u64)>,
}

/// Writes what there is, as all others do.
pub(in crate::spread) fn save<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    keeper: &mut Keeper,
    place: &[u64],
    beside: &Beside,
) -> Result<(), Broken> {
    let (header, path) = keeper.begin(place);
    let states = shard.len() as u64;
    let said = |error: io::Error| format!("{}: {error}", path.display());
    let written = shard.at_work(|own, system, _| {
        write(own, system, (&header, path.clone()), beside).map_err(said)
    });
    let note = written.err().unwrap_or_default();
    let exchange = &mut *shard.own.exchange;
    let Agreed { counts, notes, .. } = agree(exchange, Halted::No, &[states], note.as_bytes())?;
    match notes.iter().find(|note| !note.is_empty()) {
        None => keeper.is_saved(counts[0]),
        Some(what) => return Err(keeper.is_not_saved(&path, &String::from_utf8_lossy(what))),
    }
    Ok(())
}

/// A file in the making.
struct Out<'a> {
    writer: Writer,
    wire: Wire,
    parts: &'a Parts,
    keys: Keys,
    kind: u8,
    counts: [u64; KINDS.len()],
}

impl Out<'_> {
    fn begin(&mut self, kind: u8) {
        self.kind = kind;
        self.wire.set_extra(extra(kind, self.keys));
    }

    fn push(
        &mut self,
        (key, word): (u64, u64),
        system: &System<'_, SharedSession<'_>>,
    ) -> io::Result<()> {
        let (root, state) = self.keys.split(key);
        self.counts[usize::from(self.kind - STATES)] += 1;
        match self.wire.push(0, (root, state, word), self.parts, system.store()) {
            true => self.flush(system),
            false => Ok(()),
        }
    }

    fn flush(&mut self, system: &System<'_, SharedSession<'_>>) -> io::Result<()> {
        match self.wire.message(0, self.parts, system.steps()) {
            Some(bytes) => self.writer.block(self.kind, &bytes),
            None => Ok(()),
        }
    }
}

fn write(
    own: &mut Own<'_>,
    system: &mut System<'_, SharedSession<'_>>,
    (header, path): (&Header, PathBuf),
    beside: &Beside,
) -> io::Result<()> {
    own.parts.catch_up(system.store());
    system.session().hand_in();
    let system = &*system;
    let (session, keys) = (system.store(), system.store().keys());
    let wire = Wire::new(1, &own.parts, keys.below());
    let counts = [0; KINDS.len()];
    let writer = Writer::create(path)?;
    let mut out = Out { writer, wire, parts: &own.parts, keys, kind: STATES, counts };
    out.writer.block(HEADER, &header.write())?;
    beside.own.iter().try_for_each(|own| out.writer.block(OWN, own))?;

    out.begin(STATES);
    let sections = session.set().len() / TOGETHER + 1;
    let mut written = Ok(());
    for section in 0..sections {
        session.for_each_in(section, sections, |key, payload| {
            if written.is_ok() {
                written = out.push((key, payload), system);
            }
        });
    }
    written?;
    out.flush(system)?;
    for (kind, is_next) in [(NOW, false), (NEXT, true)] {
        out.begin(kind);
        let mut written = Ok(());
        session.for_each_waiting(is_next, |key| {
            if written.is_ok() {
                written = out.push((key, 0), system);
            }
        });
        written?;
        out.flush(system)?;
    }
    out.begin(SAID);
    let said = own.undelivered.keys.iter().copied().zip(own.undelivered.words.iter().copied());
    said.into_iter().try_for_each(|said| out.push(said, system))?;
    out.flush(system)?;
    out.begin(BEYOND);
    beside.beyond.iter().try_for_each(|&kept| out.push(kept, system))?;
    out.flush(system)?;
    let counts: Vec<u8> = out.counts.iter().flat_map(|count| count.to_le_bytes()).collect();
    out.writer.block(LAST, &counts)?;
    out.writer.finish()
}

/// Reads what this worker owns, as all others do. The set is empty, and made for keys of the same kind. None if not all can.
pub(in crate::spread) fn load<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    resumed: &Resumed,
) -> Result<Result<Beside, End>, Broken> {
    let mut beside = Beside::default();
    let (mut halted, mut note, mut states) = (Halted::No, String::new(), 0);
    for (file, path) in resumed.files.iter().enumerate() {
        let read = Blocks::open(path)
            .map(|blocks| read(shard, blocks, (file, resumed.files.len()), &mut beside));
        match read {
            Ok(Ok(Ok(count))) => states += count,
            Ok(Ok(Err(what))) | Err(what) => {
                note = what;
                break;
            }
            Ok(Err(end)) => {
                halted = Halted::Here(end);
                break;
            }
        }
    }
    shard.resume();
    let counts = [shard.len() as u64];
    let Agreed { end, counts, notes, .. } =
        agree(shard.own.exchange, halted, &counts, note.as_bytes())?;
    if let Some(what) = notes.iter().find(|note| !note.is_empty()) {
        return Err(Broken { what: String::from_utf8_lossy(what).into_owned() });
    }
    if let Some(end) = end {
        return Ok(Err(end.with_own(halted)));
    }
    match counts[0] == states {
        true => Ok(Ok(beside)),
        false => {
            Err(Broken { what: "the checkpoint has not the states that it should".to_owned() })
        }
    }
}

/// One file; how many states it has.
fn read<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    mut blocks: Blocks,
    (file, files): (usize, usize),
    beside: &mut Beside,
) -> Result<Result<u64, String>, End> {
    let name = blocks.name().to_owned();
    let mut reading: Option<Reading> = None;
    let mut block = None;
    shard.retrying(|own, system, _| {
        let keys = system.store().keys();
        let reading = reading.get_or_insert_with(|| Reading {
            wire: Wire::new(1, &own.parts, keys.below()),
            counts: [0; KINDS.len()],
            last: None,
            place: (file, files),
        });
        loop {
            if block.is_none() {
                block = match blocks.next() {
                    Ok(Some(next)) => Some(next),
                    Ok(None) if reading.is_whole() => return Ok(Ok(reading.counts[0])),
                    Ok(None) => return Ok(Err(blocks.damaged())),
                    Err(what) => return Ok(Err(what)),
                };
            }
            let Some((kind, bytes)) = &block else { continue };
            match reading.take(*kind, bytes, own, system, beside) {
                Ok(()) => block = None,
                Err(NotTaken::Stopped(stop)) => return Err(stop),
                Err(NotTaken::Malformed(Malformed(what))) => {
                    return Ok(Err(format!("{name} is damaged: {what}")));
                }
            }
        }
    })
}

/// How far a file was read.
struct Reading {
    wire: Wire,
    counts: [u64; KINDS.len()],
    last: Option<Vec<u8>>,
    /// Which file it is, of how many.
    place: (usize, usize),
}

impl Reading {
    fn is_whole(&self) -> bool {
        let counts: Vec<u8> = self.counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        self.last.as_ref() == Some(&counts)
    }

    fn take(
        &mut self,
        kind: u8,
        bytes: &[u8],
        own: &mut Own<'_>,
        system: &mut System<'_, SharedSession<'_>>,
        beside: &mut Beside,
    ) -> Result<(), NotTaken> {
        let (me, workers) = (own.exchange.me(), own.exchange.workers());
        let (file, files) = self.place;
        match kind {
            HEADER => return Ok(()),
            OWN => {
                if file % workers == me {
                    beside.own.push(bytes.to_vec());
                }
                return Ok(());
            }
            LAST => {
                self.last = Some(bytes.to_vec());
                return Ok(());
            }
            _ if !KINDS.contains(&kind) => {
                return Err(Malformed("it has a block of another kind").into());
            }
            _ => {}
        }
        let keys = system.store().keys();
        self.wire.set_extra(extra(kind, keys));
        let (mut said, mut lessons) = (Said::default(), Vec::new());
        let learn = |row: &[Word]| lessons.push(Box::<[Word]>::from(row));
        let read = self.wire.read(
            (0, bytes),
            &mut own.parts,
            (keys, own.automaton_states),
            system.session(),
            (own.row_width, learn),
            &mut said,
        );
        lessons.iter().for_each(|row| system.steps_mut().learn(row));
        read?;
        let all = said.keys.len() as u64;
        let mut mine = Said::default();
        for (&key, &word) in said.keys.iter().zip(&said.words) {
            let hash = own.parts.hash(keys.split(key).0);
            // What is said of a state may be of anybody's.
            if owner(hash, files) != file && kind != SAID {
                return Err(Malformed("a state is in the file of another worker").into());
            }
            if kind == STATES && u128::from(word) >> keys.payload() != 0 {
                return Err(Malformed("what is kept of a state has too many bits").into());
            }
            if owner(hash, workers) == me {
                mine.push(key, word);
            }
        }
        put(kind, mine, own, system, beside)?;
        self.counts[usize::from(kind - STATES)] += all;
        Ok(())
    }
}

/// What this worker owns of a block.
fn put(
    kind: u8,
    mine: Said,
    own: &mut Own<'_>,
    system: &mut System<'_, SharedSession<'_>>,
    beside: &mut Beside,
) -> Result<(), NotTaken> {
    let session = system.session();
    let stopped = |full: lariat_core::Full| NotTaken::Stopped(Stop::from(full));
    if kind != STATES && kind != SAID {
        let mut is_there = true;
        session.payloads(&mine.keys, |_, found| is_there &= found.is_some());
        if !is_there {
            return Err(Malformed("it speaks of a state that is not there").into());
        }
    }
    match kind {
        STATES => {
            let mut is_new = true;
            session
                .update(
                    &mine.keys,
                    |at, _| mine.words[at],
                    |_, before| {
                        is_new &= before.is_none();
                        false
                    },
                )
                .map_err(stopped)?;
            if !is_new {
                return Err(Malformed("a state is there twice").into());
            }
        }
        NOW => session.put_back(&mine.keys).map_err(stopped)?,
        NEXT => {
            let waits = !makes_mistake("checkpoint-next");
            session.change(&mine.keys, |_, kept| kept, |_, _| waits).map_err(stopped)?;
            own.waiting += mine.keys.len() as u64;
        }
        SAID => {
            own.undelivered.keys.extend(mine.keys);
            own.undelivered.words.extend(mine.words);
        }
        _ => beside.beyond.extend(mine.keys.into_iter().zip(mine.words)),
    }
    Ok(())
}

/// Numbers as bytes.
pub(in crate::spread) fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// So many numbers at the front of bytes, and what is behind them.
pub(in crate::spread) fn words_of<const N: usize>(bytes: &[u8]) -> Option<([u64; N], &[u8])> {
    let mut rest = Reader(bytes);
    let mut words = [0; N];
    for word in &mut words {
        *word = rest.long().ok()?;
    }
    Some((words, rest.0))
}
