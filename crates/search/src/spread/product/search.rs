//! Which passes there are, what follows from them, and the run if there is one.
//!
//! What is found on the way is a suggestion: a state through which there should be an accepting cycle (`map`), or behind which there should be one. If it is none, the search is done once more without. What elimination leaves is there.

use lariat_core::{Automaton, Broken, Marks};
use lariat_store::Keys;

use super::exits::Exits;
use super::expand::OfProduct;
use super::stage::{Stage, Step};
use super::tally::Tally;
use crate::product::components::Components;
use crate::product::owcty::payload_bits;
use crate::product::shared::Way;
use crate::spread::Resumed;
use crate::spread::checkpoint::{self, Beside, Keeper, bytes_of, words_of};
use crate::spread::lasso::{Looking, ProductState, SpreadLasso, in_first_component};
use crate::spread::owcty::{Count, Eliminate, Owcty, Predecessors, Reach};
use crate::spread::pass::Pass;
use crate::spread::shard::{Mode, Shard};
use crate::spread::status::{End, Halted, agree};
use crate::spread::way::{Met, agreed};

pub(super) struct Search<'x, 'p, 's, A> {
    pub(super) components: &'p Components,
    pub(super) shard: Shard<'x, 's, OfProduct<'p, 's, A>>,
    pub(super) transitions: u64,
    pub(super) keeper: Keeper,
    /// A worker has met a dead end before a checkpoint that this search goes on with.
    pub(super) has_dead_end: bool,
    /// Whether cycles are looked for while everything is swept.
    detects_early: bool,
    /// Passes are saved; not those that look for a run.
    saves: bool,
    /// What was looked at until something was found.
    pub(super) found_by: Option<Tally>,
    pub(super) lasso: Option<SpreadLasso>,
}

/// The pass of a checkpoint, and what it goes on with.
type From = Option<(Stage, Resumed)>;

/// How a search ends, if not with everything seen and nothing found.
pub(super) type Ended = Option<End>;

impl<'x, 'p, 's, A: Automaton + Sync> Search<'x, 'p, 's, A> {
    pub(super) fn new(
        components: &'p Components,
        shard: Shard<'x, 's, OfProduct<'p, 's, A>>,
        keeper: Keeper,
        detects_early: bool,
    ) -> Self {
        Search {
            components,
            shard,
            transitions: 0,
            keeper,
            has_dead_end: false,
            detects_early,
            saves: true,
            found_by: None,
            lasso: None,
        }
    }

    /// None if there is no accepting run, found if there is one: then it is there.
    pub(super) fn run(
        &mut self,
        automaton: &A,
        way: Way,
        of_model: u32,
        from: From,
    ) -> Result<Ended, Broken> {
        let is_weak = self.components.are_weak(automaton);
        let marks = match way {
            Way::Before | Way::Weak { .. } if is_weak => 0,
            _ => automaton.mark_count() + of_model,
        };
        let ended = match way {
            Way::Weak { .. } if is_weak => self.owcty(marks, from)?,
            Way::Marks { .. } => self.owcty(marks, from)?,
            Way::Before | Way::Weak { .. } => match self.exits(automaton, from)? {
                Some(End::Found) => return self.run_behind(marks),
                ended => return Ok(ended),
            },
        };
        match ended {
            Some(End::Found) => self.find_run(marks, None),
            ended => Ok(ended),
        }
    }

    /// A state was met that is not before acceptance. A run is looked for behind a nearest one, then everywhere.
    fn run_behind(&mut self, marks: u32) -> Result<Ended, Broken> {
        self.note_found();
        let way = match self.looking(marks).way_behind()? {
            Ok(Some(way)) => way,
            Ok(None) => {
                return Err(Broken { what: "a state that was met cannot be reached".to_owned() });
            }
            Err(end) => return Ok(Some(end)),
        };
        for by in [Some(way), None] {
            self.shard.own.starts = last_of(&by);
            match self.owcty(marks, None)? {
                Some(End::Found) => return self.find_run(marks, by),
                None => {}
                ended => return Ok(ended),
            }
        }
        Ok(None)
    }

    /// The run through what was found, perhaps by a certain way.
    fn find_run(&mut self, marks: u32, by: Option<Vec<ProductState>>) -> Result<Ended, Broken> {
        self.note_found();
        loop {
            self.shard.tell_anew();
            let hit = self.shard.own.hit.take().map(|(row, state)| Met::new(row, state, 0));
            let hit = match agreed(&mut self.shard, Ok(hit))? {
                Ok(hit) => hit.map(|met| (met.row, met.state)),
                Err(end) => return Ok(Some(end)),
            };
            let is_suggested = hit.is_some();
            let at = match hit {
                Some(hit) => Ok(Some(hit)),
                None => in_first_component(&mut self.shard, self.components)?,
            };
            let at = match at {
                Ok(Some(at)) => at,
                Ok(None) => {
                    return Err(Broken { what: "nobody has what elimination has left".to_owned() });
                }
                Err(end) => return Ok(Some(end)),
            };
            match self.looking(marks).lasso(&at, by.as_deref())? {
                Ok(Some(lasso)) => {
                    self.lasso = Some(lasso);
                    return Ok(Some(End::Found));
                }
                Ok(None) if is_suggested => {}
                Ok(None) => {
                    return Err(Broken { what: "elimination has left no cycle".to_owned() });
                }
                Err(end) => return Ok(Some(end)),
            }
            self.detects_early = false;
            self.shard.own.starts = last_of(&by);
            match self.owcty(marks, None)? {
                Some(End::Found) => {}
                ended => return Ok(ended),
            }
        }
    }

    fn looking(&mut self, marks: u32) -> Looking<'_, 'x, 's, OfProduct<'p, 's, A>> {
        Looking { shard: &mut self.shard, components: self.components, all: Marks::all(marks) }
    }

    /// From here on, states are those of the search for a run: what was saved before is what to go on with.
    fn note_found(&mut self) {
        self.shard.tell_anew();
        if self.found_by.is_none() {
            self.found_by = Some(self.tally());
        }
        self.saves = false;
        self.mind_pauses();
    }

    /// When the next phases are to be paused, to be saved: not those that look for a run, which nobody could go on with.
    fn mind_pauses(&mut self) {
        let keeper = Some(&self.keeper).filter(|_| self.saves);
        self.shard.own.keeps = keeper.is_some_and(Keeper::keeps);
        self.shard.own.cut_after = keeper.and_then(Keeper::cut_after);
        self.shard.own.due = keeper.and_then(Keeper::due);
    }

    fn exits(&mut self, automaton: &A, from: From) -> Result<Ended, Broken> {
        if automaton.initial().iter().any(|&state| !self.components.is_before(state)) {
            return Ok(Some(End::Found));
        }
        let mut pass = Exits { components: self.components, transitions: 0 };
        let is_new = from.is_none();
        if let Some((stage, resumed)) = from {
            stage.is_one_of(&[Step::Exits])?;
            match self.load(&resumed)? {
                Ok(([_, transitions], _)) => pass.transitions = transitions,
                Err(end) => return Ok(Some(end)),
            }
        }
        let ended = self.pass(&mut pass, Stage::begin(Step::Exits), is_new)?;
        self.transitions = pass.transitions;
        Ok(ended)
    }

    /// What others have counted, and kept beside the set.
    fn load(&mut self, resumed: &Resumed) -> Result<Result<([u64; 2], Beside), End>, Broken> {
        let beside = match checkpoint::load(&mut self.shard, resumed)? {
            Ok(beside) => beside,
            Err(end) => return Ok(Err(end)),
        };
        let mut counts = [0; 2];
        for own in &beside.own {
            let Some(([counted, transitions, expanded, dead_end], [])) = words_of(own) else {
                return Err(Broken { what: "the checkpoint has no counts".to_owned() });
            };
            counts = [counts[0] + counted, counts[1] + transitions];
            self.shard.own.expanded += expanded;
            self.has_dead_end |= dead_end > 0;
        }
        Ok(Ok((counts, beside)))
    }

    /// One phase, until nothing is left; more if there are pauses. It is new, or its states are there.
    fn pass<P: Pass>(&mut self, pass: &mut P, stage: Stage, is_new: bool) -> Result<Ended, Broken> {
        if is_new {
            self.shard.begin_pass();
        }
        loop {
            self.mind_pauses();
            let halted = self.shard.phase(pass, Mode::Free)?;
            let agreed = agree(self.shard.own.exchange, halted, &[], &[])?;
            if agreed.end.is_some() {
                return Ok(agreed.end.map(|end| end.with_own(halted)));
            }
            let Some(limit) = agreed.pause else { return Ok(None) };
            let [counted, transitions] = pass.counts();
            let dead_end = self.has_dead_end || self.shard.expander.dead_end.is_some();
            let own = [counted, transitions, self.shard.own.expanded, u64::from(dead_end)];
            let beside = Beside { own: vec![bytes_of(&own)], beyond: pass.beyond() };
            checkpoint::save(&mut self.shard, &mut self.keeper, &stage.write(), &beside)?;
            if let Some(limit) = limit {
                return Ok(Some(End::Stopped(limit.into())));
            }
            self.shard.go_on();
        }
    }

    fn owcty(&mut self, marks: u32, from: From) -> Result<Ended, Broken> {
        let bits = payload_bits(marks);
        let is_fit = bits <= lariat_store::lines::MOST_PAYLOAD
            && self.shard.start_again(Keys::of_product(self.components.states(), bits));
        let halted = if is_fit { Halted::No } else { Halted::Here(End::Unfit) };
        if let Some(end) = agree(self.shard.own.exchange, halted, &[], &[])?.end {
            return Ok(Some(end));
        }
        self.shard.own.hit = None;
        let mut owcty = Owcty::new(self.components, marks, self.detects_early);
        let ended = self.rounds(&mut owcty, marks == 0, from)?;
        self.transitions = owcty.transitions;
        Ok(ended)
    }

    /// As in `owcty`: without marks, predecessors are counted while everything is swept, and there is one round.
    fn rounds(
        &mut self,
        owcty: &mut Owcty<'_>,
        is_weak: bool,
        from: From,
    ) -> Result<Ended, Broken> {
        let mut stage = Stage::begin(if is_weak { Step::Count } else { Step::First });
        let mut is_new = true;
        if let Some((at, resumed)) = from {
            at.is_one_of(match is_weak {
                true => &[Step::Count, Step::Eliminate],
                false => &[Step::First, Step::Predecessors, Step::Eliminate, Step::Again],
            })?;
            match self.load(&resumed)? {
                Ok((counts, beside)) => owcty.inherit(counts, &beside.beyond),
                Err(end) => return Ok(Some(end)),
            }
            (stage, is_new) = (at, false);
        }
        loop {
            let (step, is_first) = (stage.step, stage.step == Step::First);
            if step == Step::Predecessors && is_new {
                owcty.forget_predecessors();
            }
            let ended = match step {
                Step::Count => self.pass(&mut Count(owcty), stage, is_new)?,
                Step::Predecessors => self.pass(&mut Predecessors(owcty), stage, is_new)?,
                Step::Eliminate => self.pass(&mut Eliminate(owcty), stage, is_new)?,
                _ => self.pass(&mut Reach { owcty, is_first }, stage, is_new)?,
            };
            if ended.is_some() {
                return Ok(ended);
            }
            is_new = true;
            let counted = self.sum(owcty)?;
            stage = match step {
                Step::Count => Stage { step: Step::Eliminate, reached: counted, ..stage },
                Step::Predecessors => Stage { step: Step::Eliminate, reached: counted, ..stage },
                Step::Eliminate => {
                    let left = stage.reached - counted;
                    if is_weak || left == 0 || left == stage.size {
                        return Ok((left > 0).then_some(End::Found));
                    }
                    Stage { step: Step::Again, size: left, ..stage }
                }
                Step::Again => Stage { step: Step::Predecessors, ..stage },
                _ => Stage { step: Step::Predecessors, size: counted, ..stage },
            };
        }
    }

    /// What was counted in a pass, by all.
    fn sum(&mut self, owcty: &mut Owcty<'_>) -> Result<u64, Broken> {
        let counted = std::mem::take(&mut owcty.counted);
        Ok(agree(self.shard.own.exchange, Halted::No, &[counted], &[])?.counts[0])
    }
}

/// The last state of a way: the search begins there.
fn last_of(way: &Option<Vec<ProductState>>) -> Option<Vec<ProductState>> {
    way.as_ref().and_then(|way| way.last()).map(|last| vec![last.clone()])
}
