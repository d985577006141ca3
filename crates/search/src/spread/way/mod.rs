//! The way back to a state, asked for across owners.
//!
//! Nobody keeps the parent of a state; each keeps the remainder of its level by three and some bits of the hash of its parent (`label`). From the last state on, step by step: all workers are told
//! a state of level *k*, and each looks among its own for states of level *k - 1* with those bits (`index`), and expands them. The least one, by its words, that leads to the state is the next.
//!
//! *Why there is one.* When a state was heard of first, in level *k*, that was because of a parent that was expanded in the phase before, so it is of level *k - 1*; its hint is that parent's. So there is at
//! least one state that fulfils all that is asked, in whoever's part it is. *Why it is of that level:* the remainder by three tells a state of level *k - 1* from those of *k* and *k + 1*; one of an
//! earlier level *j < k - 1* with the same remainder cannot lead to a state of level *k*, which would be at most *j + 1* then. So every step goes one level down, and the way has no detours.
//!
//! *Where steps are left out,* all this is about the steps that were taken: a state is expanded here as it was then, fully or not, and levels are those of the smaller graph. The same with
//! edges that a search has not gone along (`lasso`).
//!
//! The run is executed on the model and judged like any other.

mod index;
pub(super) mod label;

use lariat_core::{Broken, Marks, SystemStore, Word};
use lariat_store::SharedSession;
use lariat_system::{Stop, System, SystemGraph};

use super::shard::{Expander, Own, Shard};
use super::status::{Agreed, End, Halted, agree};
use super::wire::Reader;
use index::Index;

/// Which edges between states of the automaton are gone along.
pub(super) type Wants<'w> = &'w dyn Fn(Word, Word) -> bool;

/// A state that was asked for, and what its owner keeps of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Met {
    pub(super) row: Vec<Word>,
    /// Of the automaton.
    pub(super) state: Word,
    pub(super) kept: u64,
    /// Of the edges from here to the state that was asked from.
    pub(super) marks: u64,
}

impl Met {
    pub(super) fn new(row: Vec<Word>, state: Word, kept: u64) -> Met {
        Met { row, state, kept, marks: 0 }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = self.kept.to_le_bytes().to_vec();
        out.extend_from_slice(&self.marks.to_le_bytes());
        out.extend_from_slice(&self.state.to_le_bytes());
        self.row.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        out
    }

    pub(super) fn read(bytes: &[u8], width: usize) -> Option<Met> {
        let mut rest = Reader(bytes);
        let (kept, marks) = (rest.long().ok()?, rest.long().ok()?);
        let (state, row) = (rest.word().ok()?, rest.words(width).ok()?);
        rest.0.is_empty().then_some(Met { row, state, kept, marks })
    }
}

/// The states from one of level 0 to this one, which is of this level.
pub(super) fn back<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    last: Met,
    level: u64,
    wants: Wants<'_>,
) -> Result<Result<Vec<Met>, End>, Broken> {
    let index = index(shard, level);
    let mut way = vec![last];
    for level in (0..level).rev() {
        let at = way.last().expect("there is one");
        let found = shard.retrying(|own, system, expander| {
            let place = label::place_before(level, at.kept);
            let mut sources = match &index {
                Some(index) => index.at(place).to_vec(),
                None => {
                    let (session, mut found) = (system.store(), Vec::new());
                    index::for_each(session, |key, kept| {
                        if label::may_be_of(level, kept) {
                            found.push(key);
                        }
                    });
                    found
                }
            };
            own.parts.catch_up(system.store());
            sources.retain(|&key| {
                let (root, state) = system.store().keys().split(key);
                label::hint(own.parts.hash(root), state) == label::hint_kept(at.kept)
            });
            least(own, (system, expander), &sources, at, wants)
        });
        match agreed(shard, found)? {
            Ok(Some(next)) => way.push(next),
            Ok(None) => {
                let what = format!("nobody has the state before that of level {}", level + 1);
                return Err(Broken { what });
            }
            Err(end) => return Ok(Err(end)),
        }
    }
    way.reverse();
    Ok(Ok(way))
}

/// A state of whatever level that leads to this one with such a mark, and has the hint that is kept of it.
pub(super) fn before<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    at: &Met,
    mark: u32,
    wants: Wants<'_>,
) -> Result<Result<Option<Met>, End>, Broken> {
    let found = shard.retrying(|own, system, expander| {
        let mut sources = Vec::new();
        own.parts.catch_up(system.store());
        let (session, parts) = (system.store(), &own.parts);
        index::for_each(session, |key, _| {
            let (root, state) = session.keys().split(key);
            if label::hint(parts.hash(root), state) == label::hint_kept(at.kept) {
                sources.push(key);
            }
        });
        let mut all = Vec::new();
        for source in sources {
            all.extend(least(own, (system, expander), &[source], at, wants)?);
        }
        Ok(all.into_iter().filter(|met| Marks(met.marks).has(mark)).min())
    });
    agreed(shard, found)
}

/// An index, if the way is so long that it is worth one, and there is room.
fn index<'s, E: Expander<'s>>(shard: &mut Shard<'_, 's, E>, level: u64) -> Option<Index> {
    let is_room = Index::bytes(shard.len()) <= shard.left();
    (level > index::WORTH && is_room).then(|| {
        shard.at_work(|own, system, _| {
            own.parts.catch_up(system.store());
            Index::new(system.store(), &own.parts)
        })
    })
}

/// The least of these states that leads to another one.
fn least<'s, E: Expander<'s>>(
    own: &mut Own<'_>,
    (system, expander): (&mut System<'s, SharedSession<'_>>, &mut E),
    sources: &[u64],
    to: &Met,
    wants: Wants<'_>,
) -> Result<Option<Met>, Stop> {
    let keys = system.store().keys();
    let key = keys.join(system.session().intern(&to.row)?, to.state);
    let mut kept = vec![0; sources.len()];
    system.session().payloads(sources, |at, found| kept[at] = found.unwrap_or(label::UNKNOWN));
    let mut least: Option<Met> = None;
    for (&source, kept) in sources.iter().zip(kept) {
        let Some(marks) = expander.edge(system, (source, kept), key, wants)? else { continue };
        own.parts.catch_up(system.store());
        let (root, state) = keys.split(source);
        let met = Met { row: system.load(root).to_vec(), state, kept, marks: marks.0 };
        least = Some(least.map_or_else(|| met.clone(), |old| old.min(met.clone())));
    }
    own.parts.catch_up(system.store());
    Ok(least)
}

/// The least that anybody has found.
pub(super) fn agreed<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    found: Result<Option<Met>, End>,
) -> Result<Result<Option<Met>, End>, Broken> {
    let width = shard.own.row_width;
    let (halted, mine) = match found {
        Ok(found) => (Halted::No, found),
        Err(end) => (Halted::Here(end), None),
    };
    let note = mine.as_ref().map_or(Vec::new(), Met::write);
    let Agreed { end, notes, .. } = agree(shard.own.exchange, halted, &[], &note)?;
    if let Some(end) = end {
        return Ok(Err(end.with_own(halted)));
    }
    let all = notes.iter().filter(|note| !note.is_empty());
    let all: Option<Vec<Met>> = all.map(|note| Met::read(note, width)).collect();
    match all {
        Some(all) => Ok(Ok(all.into_iter().min())),
        None => Err(Broken { what: "a worker tells of something else than a state".to_owned() }),
    }
}
