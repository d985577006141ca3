//! Breadth first by levels through the product, to states that are looked for.
//!
//! Each state keeps the label by which the way back is found. A search may also begin with the ends of all edges that have a certain mark, from states that are there: then these are asked in a phase of their own, all labels
//! are forgotten, and the label of an end has the hint of the edge's source.

use std::collections::{BTreeSet, HashMap};

use lariat_core::{Broken, Marks, Word};
use lariat_system::SystemGraph;

use super::{Along, not_paused};
use crate::product::components::Components;
use crate::spread::pass::{Kept, Pass, Say, Source};
use crate::spread::shard::{Expander, Mode, Shard};
use crate::spread::status::{Agreed, End, agree};
use crate::spread::way::Met;
use crate::spread::way::label::{UNKNOWN, hint, label};
use crate::spread::wire::Reader;

/// What is looked for.
pub(super) enum Aim {
    Nothing,
    /// A state that is not before acceptance.
    Behind,
    /// These, by their keys, with the number of each.
    States {
        numbers: HashMap<u64, usize>,
        /// They count where the search begins, too.
        may_begin: bool,
    },
}

/// A state that was looked for, and met.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Reached {
    /// Which of those that are looked for it is.
    pub(super) number: usize,
    pub(super) level: u64,
    pub(super) met: Met,
}

pub(super) struct Ahead<'c> {
    components: &'c Components,
    pub(super) along: Along,
    aim: Aim,
    /// The search begins with the ends of edges with this mark; they are still to be told.
    mark: Option<u32>,
    /// The level that is expanded.
    level: u64,
    /// What was met in this phase, here: number, level, key and label.
    met: Vec<(usize, u64, u64, u64)>,
    /// Which of those that are looked for were met, anywhere.
    numbers: BTreeSet<usize>,
}

/// Said of the states that a search begins with.
const START: u64 = 1 << 15;

impl<'c> Ahead<'c> {
    pub(super) fn new(components: &'c Components, along: Along, aim: Aim) -> Self {
        let (mark, level) = (None, 0);
        let (met, numbers) = (Vec::new(), BTreeSet::new());
        Ahead { components, along, aim, mark, level, met, numbers }
    }

    /// It begins with the ends of all edges with this mark.
    pub(super) fn beginning_with(self, mark: u32) -> Self {
        Ahead { mark: Some(mark), ..self }
    }

    /// What is met next, in whoever's part it is: all of a level. Nothing if there is nothing more. Until the next call, no state of a later level is known.
    pub(super) fn next<'s, E: Expander<'s>>(
        &mut self,
        shard: &mut Shard<'_, 's, E>,
    ) -> Result<Result<Vec<Reached>, End>, Broken> {
        loop {
            let halted = shard.phase(self, Mode::Level)?;
            let note = self.tell(shard);
            let waiting = shard.own.waiting;
            let Agreed { end, pause, counts, notes } =
                agree(shard.own.exchange, halted, &[waiting], &note)?;
            if let Some(end) = end {
                return Ok(Err(end.with_own(halted)));
            }
            not_paused(pause)?;
            if self.mark.take().is_none() {
                self.level += 1;
            }
            let mut all = Vec::new();
            for note in &notes {
                let heard = read(note, shard.own.row_width);
                let wrong = || Broken { what: "a worker has met something else".to_owned() };
                all.extend(heard.ok_or_else(wrong)?);
            }
            all.retain(|reached| !self.numbers.contains(&reached.number));
            if !all.is_empty() || counts[0] == 0 {
                self.numbers.extend(all.iter().map(|reached| reached.number));
                return Ok(Ok(all));
            }
        }
    }

    fn tell<'s, E: Expander<'s>>(&mut self, shard: &mut Shard<'_, 's, E>) -> Vec<u8> {
        let met = std::mem::take(&mut self.met);
        if met.is_empty() {
            return Vec::new();
        }
        shard.at_work(|_, system, _| {
            let mut note = Vec::new();
            for (number, level, key, label) in met {
                let (root, state) = system.store().keys().split(key);
                let met = Met::new(system.load(root).to_vec(), state, label).write();
                for word in [number as u64, level, met.len() as u64] {
                    note.extend_from_slice(&word.to_le_bytes());
                }
                note.extend(met);
            }
            note
        })
    }

    fn looks_for(&self, key: u64, state: Word, is_start: bool) -> Option<usize> {
        match &self.aim {
            Aim::Nothing => None,
            Aim::Behind => (!self.components.is_before(state)).then_some(0),
            Aim::States { may_begin: false, .. } if is_start => None,
            Aim::States { numbers, .. } => numbers.get(&key).copied(),
        }
    }

    fn label(&self, word: u64) -> (u64, u64) {
        let level = if word & START != 0 { 0 } else { self.level + 1 };
        (level, label(level, word))
    }
}

fn read(note: &[u8], width: usize) -> Option<Vec<Reached>> {
    let mut rest = Reader(note);
    let mut all = Vec::new();
    while !rest.0.is_empty() {
        let (number, level) = (rest.long().ok()? as usize, rest.long().ok()?);
        let len = rest.long().ok()? as usize;
        all.push(Reached { number, level, met: Met::read(rest.take(len).ok()?, width)? });
    }
    Some(all)
}

impl Pass for Ahead<'_> {
    fn extra(&self) -> usize {
        2
    }

    fn hashes(&self) -> bool {
        true
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.along.wants(self.components, src, dst)
    }

    fn picks(&self) -> bool {
        self.mark.is_some()
    }

    /// All that are there are asked for their edges.
    fn pick(&mut self, _: Word, _: u64, _: u64) -> Kept {
        Kept { payload: UNKNOWN, waits: true }
    }

    fn first(&self) -> u64 {
        START
    }

    /// Whichever parent is told first is as good as any.
    fn say(&mut self, source: Source, _: u64, _: Word, marks: Marks) -> Say {
        let hint = hint(source.hash, source.state);
        match self.mark {
            None => Say::Once(hint, 0),
            Some(mark) if marks.has(mark) => Say::Once(START | hint, 1),
            Some(_) => Say::Nothing,
        }
    }

    fn keep(&self, _: Word, before: Option<u64>, word: u64) -> Kept {
        match before {
            Some(label) if label != UNKNOWN => Kept { payload: label, waits: false },
            _ => Kept { payload: self.label(word).1, waits: true },
        }
    }

    fn hear(&mut self, key: u64, state: Word, before: Option<u64>, word: u64) -> bool {
        if let Some(number) = self.looks_for(key, state, word & START != 0) {
            let (level, label) = self.label(word);
            let is_met = |&(other, ..): &(usize, u64, u64, u64)| other == number;
            if !self.numbers.contains(&number) && !self.met.iter().any(is_met) {
                self.met.push((number, level, key, label));
            }
        }
        self.mark.is_none() || before.is_some()
    }

    fn counts(&self) -> [u64; 2] {
        [0; 2]
    }
}
