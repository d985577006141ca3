//! The way back to an error, asked for across owners.
//!
//! Nobody keeps the parent of a state; each keeps the remainder of its level by three and some bits of the hash of its parent (`visit`). From the state in error on, step by step: all workers are told
//! a state of level *k*, and each looks among its own for states of level *k - 1* with those bits, and expands them. The least one, by its words, that leads to the state is the next.
//!
//! *Why there is one.* When a state was heard of first, in level *k*, that was because of a parent that was expanded in the phase before, so it is of level *k - 1*; its hint is that parent's. So there is at
//! least one state that fulfils all that is asked, in whoever's part it is. *Why it is of that level:* the remainder by three tells a state of level *k - 1* from those of *k* and *k + 1*; one of an
//! earlier level *j < k - 1* with the same remainder cannot lead to a state of level *k*, which would be at most *j + 1* then. So every step goes one level down, and the way has no detours.
//!
//! *Where steps are left out,* all this is about the steps that were taken: a state is expanded here as it was then, fully or not, and levels are those of the smaller graph.
//!
//! The run is executed on the model and judged like any other.

use lariat_core::{Broken, SystemStore, Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_system::{Edges, Stop, System, SystemGraph};

use super::parts::Parts;
use super::shard::Shard;
use super::status::{Agreed, End, Halted, agree};
use super::visit::{Visitor, hint, hint_kept, is_reduced, may_be_of};
use super::wire::Reader;

/// States of the set that are looked at together.
const TOGETHER: usize = 8_192;

/// A state that was asked for, and what its owner keeps of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Met {
    pub(super) row: Vec<Word>,
    pub(super) kept: u64,
}

impl Met {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = self.kept.to_le_bytes().to_vec();
        self.row.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        out
    }

    pub(super) fn read(bytes: &[u8], width: usize) -> Option<Met> {
        let mut rest = Reader(bytes);
        let (kept, row) = (rest.long().ok()?, rest.words(width).ok()?);
        rest.0.is_empty().then_some(Met { row, kept })
    }
}

/// Rows, one after the other.
type Rows = Vec<Box<[Word]>>;

/// The rows from the initial state to this one, which is of this level.
pub(super) fn back<'s>(
    shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
    last: Met,
    level: u64,
) -> Result<Result<Rows, End>, Broken> {
    let width = last.row.len();
    let mut rows: Rows = vec![last.row.clone().into()];
    let mut at = last;
    for level in (0..level).rev() {
        let found = parent(shard, &at, level);
        let (halted, mine) = match found {
            Ok(found) => (Halted::No, found),
            Err(end) => (Halted::Here(end), None),
        };
        let note = mine.as_ref().map_or(Vec::new(), Met::write);
        let Agreed { end, notes, .. } = agree(shard.own.exchange, halted, &[], &note)?;
        if let Some(end) = end {
            return Ok(Err(end));
        }
        let all = notes.iter().filter(|note| !note.is_empty());
        let all: Option<Vec<Met>> = all.map(|note| Met::read(note, width)).collect();
        let Some(next) = all.and_then(|all| all.into_iter().min()) else {
            return Err(Broken {
                what: format!("nobody has the state before that of level {}", level + 1),
            });
        };
        rows.push(next.row.clone().into());
        at = next;
    }
    rows.reverse();
    Ok(Ok(rows))
}

/// The least state of this worker, of this level, that leads to another one.
fn parent<'s>(
    shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
    to: &Met,
    level: u64,
) -> Result<Option<Met>, End> {
    shard.retrying(|own, system, _| {
        let key = system.session().intern(&to.row)?;
        own.parts.catch_up(system.store());
        let mut least: Option<Met> = None;
        let sections = system.len() / TOGETHER + 1;
        let mut some = Vec::new();
        for section in 0..sections {
            some.clear();
            system.session().for_each_in(section, sections, |key, kept| {
                if may_be_of(level, kept) {
                    some.push((key, kept));
                }
            });
            some.retain(|&(key, _)| hint(own.parts.hash(key)) == hint_kept(to.kept));
            for &(source, kept) in &some {
                if leads(system, (source, kept), key, &mut own.parts)? {
                    let row = system.load(source).to_vec();
                    let met = Met { row, kept };
                    least = Some(least.map_or_else(|| met.clone(), |old| old.min(met.clone())));
                }
            }
        }
        Ok(least)
    })
}

fn leads(
    system: &mut System<'_, SharedSession<'_>>,
    (source, kept): (u64, u64),
    to: u64,
    parts: &mut Parts,
) -> Result<bool, Stop> {
    let mut edges = Edges::default();
    match is_reduced(kept) {
        true => system.expand(&[source], &mut edges)?,
        false => system.expand_fully(&[source], &mut edges)?,
    };
    parts.catch_up(system.store());
    Ok(edges.ids.contains(&to) || makes_mistake("spread-way-back"))
}
