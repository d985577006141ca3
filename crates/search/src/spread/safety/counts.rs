//! What workers have counted: in checkpoints, and in the end.

use std::collections::BTreeMap;

use lariat_core::{Broken, Limit};
use lariat_model::steps::ModelSteps;

use super::Search;
use crate::safety::Exploration;
use crate::spread::checkpoint::{Beside, bytes_of, words_of};
use crate::spread::shard::Shard;
use crate::spread::status::{Agreed, Halted, agree};
use crate::spread::visit::Visitor;
use crate::spread::wire::Reader;

impl<'s> Search<'_, 's> {
    /// What this worker has counted, and the state of its least error.
    pub(super) fn counted(&self, shard: &Shard<'_, 's, Visitor<'_, 's>>) -> Vec<u8> {
        let found = &shard.expander.found;
        let counts = [found.transitions, found.atomic_steps, found.deadlocks];
        let least = shard.expander.least.as_ref().map_or(&[][..], |least| &least.row);
        let mut out = bytes_of(&counts);
        out.extend(bytes_of(&[u64::from(found.limit.is_some()), least.len() as u64]));
        least.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        let mut note = Note::of(found, shard.steps());
        note.join(shard.expander.inherited.clone());
        out.extend(note.write());
        out
    }

    /// Goes on with what others have counted.
    pub(super) fn inherit(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        beside: &Beside,
    ) -> Result<(), Broken> {
        for own in &beside.own {
            let read = || {
                let ([transitions, atomic, deadlocks, is_cut, least], rest) = words_of(own)?;
                let (row, note) = rest.split_at_checked(usize::try_from(least).ok()? * 4)?;
                let row = Reader(row).words(least as usize).ok()?;
                let counts = [transitions, atomic, deadlocks, is_cut];
                Some((counts, row, Note::read(note)?))
            };
            let Some(([transitions, atomic, deadlocks, is_cut], row, note)) = read() else {
                return Err(Broken { what: "the checkpoint has no counts".to_owned() });
            };
            let is_row = row.len() == self.room.width;
            let least = if is_row { self.error_of(shard, &row) } else { None };
            let visitor = &mut shard.expander;
            visitor.found.transitions += transitions;
            visitor.found.atomic_steps += atomic;
            visitor.found.deadlocks += deadlocks;
            if is_cut > 0 {
                visitor.found.limit = Some(Limit::EndlessStep);
            }
            if let Some(least) = least
                && visitor.least.as_ref().is_none_or(|old| least.rank() < old.rank())
            {
                visitor.least = Some(least);
            }
            for (name, count) in &note.errors {
                *visitor.found.errors.entry(static_name(name)).or_default() += count;
            }
            visitor.inherited.join(Note { errors: BTreeMap::new(), ..note });
        }
        Ok(())
    }

    /// What all have counted.
    pub(super) fn joined(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        level: u64,
    ) -> Result<Exploration, Broken> {
        let found = &shard.expander.found;
        let counts = [
            shard.len() as u64,
            found.transitions,
            found.atomic_steps,
            found.deadlocks,
            shard.bytes() as u64,
            u64::from(found.limit.is_some()),
        ];
        let mut note = Note::of(found, shard.steps());
        note.join(shard.expander.inherited.clone());
        let note = note.write();
        let Agreed { counts, notes, .. } = agree(shard.own.exchange, Halted::No, &counts, &note)?;
        let mut all = Note::default();
        for (from, note) in notes.iter().enumerate() {
            let wrong = || Broken { what: format!("worker {from} counts something else") };
            all.join(Note::read(note).ok_or_else(wrong)?);
        }
        let errors = all.errors.into_iter().map(|(name, count)| (static_name(&name), count));
        let mut found = Exploration {
            states: counts[0],
            transitions: counts[1],
            atomic_steps: counts[2],
            deadlocks: counts[3],
            memory: counts[4] as usize,
            limit: (counts[5] > 0).then_some(Limit::EndlessStep),
            depth: level,
            errors: errors.collect(),
            executed: all.executed,
            executed_in_d_steps: all.in_d_steps,
            ..Exploration::default()
        };
        found.matched = (found.transitions + 1).saturating_sub(found.states);
        Ok(found)
    }
}

/// Beside numbers, what was counted.
#[derive(Clone, Default)]
pub(in crate::spread) struct Note {
    errors: BTreeMap<String, u64>,
    executed: Vec<bool>,
    in_d_steps: Vec<Vec<bool>>,
}

impl Note {
    fn of(found: &Exploration, steps: &dyn ModelSteps) -> Self {
        let errors = found.errors.iter().map(|(&name, &count)| (name.to_owned(), count)).collect();
        let in_d_steps = steps.executed_in_d_steps().to_vec();
        Note { errors, executed: steps.executed().to_vec(), in_d_steps }
    }

    fn join(&mut self, other: Note) {
        for (name, count) in other.errors {
            *self.errors.entry(name).or_default() += count;
        }
        join(&mut self.executed, &other.executed);
        let len = self.in_d_steps.len().max(other.in_d_steps.len());
        self.in_d_steps.resize(len, Vec::new());
        self.in_d_steps.iter_mut().zip(&other.in_d_steps).for_each(|(all, more)| join(all, more));
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let put = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            out.extend_from_slice(bytes);
        };
        out.extend_from_slice(&(self.errors.len() as u32).to_le_bytes());
        for (name, count) in &self.errors {
            put(&mut out, name.as_bytes());
            out.extend_from_slice(&count.to_le_bytes());
        }
        let bits = |bits: &[bool]| bits.iter().map(|&bit| bit.into()).collect::<Vec<u8>>();
        put(&mut out, &bits(&self.executed));
        self.in_d_steps.iter().for_each(|inside| put(&mut out, &bits(inside)));
        out
    }

    fn read(bytes: &[u8]) -> Option<Note> {
        let mut rest = Reader(bytes);
        let mut note = Note::default();
        for _ in 0..rest.word().ok()? {
            let len = rest.word().ok()? as usize;
            let name = std::str::from_utf8(rest.take(len).ok()?).ok()?.to_owned();
            note.errors.insert(name, rest.long().ok()?);
        }
        let mut bits = || -> Option<Vec<bool>> {
            let len = rest.word().ok()? as usize;
            Some(rest.take(len).ok()?.iter().map(|&byte| byte != 0).collect())
        };
        note.executed = bits()?;
        while let Some(inside) = bits() {
            note.in_d_steps.push(inside);
        }
        rest.0.is_empty().then_some(note)
    }
}

fn join(all: &mut Vec<bool>, more: &[bool]) {
    all.resize(all.len().max(more.len()), false);
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

/// The name of a kind of error, of which there are few.
fn static_name(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}
