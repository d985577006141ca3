//! The successors of states: remembered, or computed and stored.

use lariat_core::{Batch, Cursor, Limit, SystemId, SystemStore, Word, makes_mistake, stop};
use lariat_model::interp::{Fault, FaultKind};
use lariat_model::ir::transition::Discipline;
use lariat_model::steps::FaultAfter;

use super::{Meaning, System, whole};
use crate::graph::FaultAt;
use crate::reduced::{Reach, Reduced};
use crate::remembered::StepsByParts;
use crate::{Edges, Room, Stop};

/// States of a block, and the successors that end it early.
const BLOCK: usize = 64;
const SUCCESSORS: usize = 128;
/// How far ahead of its turn what is known of a state is asked for.
const AHEAD: usize = 6;

impl<S: SystemStore<Row = [Word]>> System<'_, S> {
    /// A state did not fit.
    pub(super) fn widen(&self) -> Option<Stop> {
        let processes = match self.mark_count {
            0 => None,
            _ => self.steps.wanted_processes(),
        };
        let width = self.steps.wanted_width();
        let is_wanted = width > self.width || processes.is_some();
        is_wanted.then(|| Stop::Widen(Room { width, processes: processes.unwrap_or(1) }))
    }

    /// Has the store look for the successors of states until there is enough to do for it.
    #[inline]
    pub(super) fn expand_block(
        &mut self,
        ids: &[SystemId],
        out: &mut Edges,
    ) -> Result<usize, Stop> {
        let most = if self.hidden_words > 0 || self.goes_by_ids() { 1 } else { BLOCK };
        let most = most.min(ids.len()).min(usize::try_from(self.budget).unwrap_or(usize::MAX));
        let start = out.ids.len();
        let mut end = start;
        let mut done = 0;
        self.remembered.look_again();
        // By state of the block: whether something may have been left out.
        let mut reduced = 0_u64;
        if let Some(reduced) = &mut self.reduced
            && reduced.is_judged(self.store.len())
        {
            self.judge_reduction();
        }
        while done < most && end - start < SUCCESSORS {
            if let Some(&ahead) = ids.get(done + AHEAD) {
                let all = self.has_given_up_reduction();
                self.remembered.prefetch(ahead, &self.store, all);
            }
            let id = ids[done];
            end += match self.is_chosen_for(id) {
                true => {
                    self.remembered.look_again();
                    let (successors, reach) = self.take_in_chosen(id, out)?;
                    reduced |= u64::from(reach == Reach::Reduced) << done;
                    successors
                }
                false => self.take_in_all(id, out)?,
            };
            out.ends.push(end);
            done += 1;
        }
        self.store.finish(&mut out.ids)?;
        debug_assert_eq!(out.ids.len(), end, "an id for each successor");
        if let Some(known) = &mut self.reduced {
            known.sources = reduced;
        }
        if reduced != 0 {
            self.note_reduced(&ids[..done], reduced, out)?;
        }
        self.expanded += done as u64;
        self.expanded_now += done as u64;
        self.budget -= done as u64;
        Ok(done)
    }

    /// All successors of a state; how many there are.
    #[inline]
    pub(super) fn take_in_all(&mut self, id: SystemId, out: &mut Edges) -> Result<usize, Stop> {
        match self.take_in_by_parts(id, out)? {
            Some(successors) => Ok(successors),
            None => self.take_in_whole(id, out),
        }
    }

    /// The successors of a state by the parts of the model, as far as they are known without its
    /// row; how many there are. None if the state must be expanded as a whole, as one must that
    /// nothing leads out of.
    #[inline]
    fn take_in_by_parts(&mut self, id: SystemId, out: &mut Edges) -> Result<Option<usize>, Stop> {
        if !self.may_go_by_parts() {
            return Ok(None);
        }
        let System { steps, remembered, store, .. } = self;
        let has_steps = |taken: &StepsByParts| taken.successors > 0;
        if self.mark_count == 0 {
            let taken = remembered.take_in(id, || steps.parts(), store, &mut out.ids)?;
            let taken = taken.filter(has_steps);
            out.atomic_steps += taken.map_or(0, |taken| taken.atomic_steps);
            return Ok(taken.map(|taken| taken.successors));
        }
        let Some(parts) = steps.parts() else { return Ok(None) };
        let asked = &mut *parts;
        let taken = remembered.take_in(id, || Some(asked), store, &mut out.ids)?;
        let Some(taken) = taken.filter(has_steps) else { return Ok(None) };
        out.atomic_steps += taken.atomic_steps;
        out.marks.extend(self.remembered.marks(parts));
        debug_assert_eq!(out.marks.len(), out.ends.last().unwrap_or(&0) + taken.successors);
        // The parts of a state with more processes than there are marks for were computed just now.
        if let Some(widen) = self.widen() {
            return Err(widen);
        }
        Ok(Some(taken.successors))
    }

    /// Whether steps of parts may stand for those of a state.
    #[inline]
    pub(super) fn may_go_by_parts(&mut self) -> bool {
        if self.hidden_words > 0 || self.remembered.is_given_up() {
            return false;
        }
        // How many commands led to a successor is not remembered.
        if self.counts_commands
            && self.steps.parts().is_some_and(|parts| !parts.have_single_commands())
        {
            self.remembered.give_up();
            return false;
        }
        true
    }

    /// The successors of a state by the model; how many there are.
    fn take_in_whole(&mut self, id: SystemId, out: &mut Edges) -> Result<usize, Stop> {
        self.remembered.look_again();
        self.batch.clear();
        let visible = self.store.load(id);
        let row = whole(&self.hidden, visible, &mut self.row);
        self.steps.expand(row, &mut Cursor::default(), &mut self.batch);
        if let Some(widen) = self.widen() {
            return Err(widen);
        }
        self.kept.clear();
        self.kept.push(0..self.batch.len());
        self.take_in_kept(out)
    }

    /// Those successors in the batch that are kept; how many there are.
    pub(super) fn take_in_kept(&mut self, out: &mut Edges) -> Result<usize, Stop> {
        self.report(out)?;
        let kept = || self.kept.iter().cloned().flatten();
        if self.mark_count > 0 {
            out.marks.extend(kept().map(|at| self.batch.marks(at)));
        }
        if self.hidden_words == 0 {
            for rows in &self.kept {
                self.store.take_in_rows(&self.batch, rows.clone(), &mut out.ids)?;
            }
            return Ok(kept().count());
        }
        self.visible.clear();
        for at in kept() {
            let (hidden, visible) = self.batch.row(at).split_at(self.hidden_words);
            out.hidden.extend_from_slice(hidden);
            self.visible.push_copy(visible);
        }
        self.store.take_in(&self.visible, &mut out.ids)?;
        Ok(kept().count())
    }

    /// What the model says of the state that it has expanded.
    #[inline]
    fn report(&mut self, out: &mut Edges) -> Result<(), Stop> {
        let report = self.steps.report();
        let source = out.ends.len();
        out.atomic_steps += report.atomic_steps;
        out.deepest = out.deepest.max(report.deepest);
        if report.is_blocked {
            out.blocked.push(source);
        }
        let is_one_each = report.commands.is_empty() && out.commands.is_empty();
        if self.counts_commands && !is_one_each {
            out.commands.resize(out.ends.last().copied().unwrap_or(0), 1);
            let kept = self.kept.iter().cloned().flatten();
            out.commands.extend(kept.map(|at| report.commands_to(at)));
        }
        if report.faults.is_empty() {
            return Ok(());
        }
        let faults = report.faults.iter();
        if faults.clone().any(|found| found.fault.kind == FaultKind::Stopped) {
            return Err(Stop::Limit(stop::asked().unwrap_or(Limit::Interrupted)));
        }
        match &mut self.meaning {
            Meaning::States => {
                let kept = &self.kept;
                out.faults.extend(faults.map(|found| {
                    let after = kept
                        .iter()
                        .map(|kept| kept.end.min(found.after) - kept.start.min(found.after))
                        .sum();
                    FaultAt { source, fault: FaultAfter { after, ..found.clone() } }
                }));
            }
            Meaning::Runs { dead_end, .. } => {
                let mut faults = faults.map(|found| found.fault);
                let known = dead_end.filter(|_| !makes_mistake("fatal-forgotten"));
                *dead_end = known.or(faults.clone().find(|fault| fault.kind.is_fatal()));
                // A process of Promela goes on behind some faults, and others are steps that are
                // not there: see `dead_end`. What was cut off proves nothing.
                let stops = |fault: &Fault| match self.model.discipline {
                    Discipline::Spin => fault.kind.is_cut(),
                    _ => fault.kind != FaultKind::Assertion,
                };
                if let Some(fault) = faults.find(stops) {
                    return Err(Stop::Fault(fault));
                }
            }
        }
        Ok(())
    }

    /// Expands one state, whose successors may be known already.
    pub(super) fn expand_cached(&mut self, id: SystemId, out: &mut Edges) -> Result<(), Stop> {
        if let Some(known) = self.edges.get(id) {
            out.ids.extend(known.ids());
            out.marks.extend(known.marks());
            out.ends.push(out.ids.len());
            self.expanded += 1;
            self.budget -= 1;
            return Ok(());
        }
        let (start, told) = (out.ids.len(), (out.faults.len(), out.blocked.len()));
        self.expand_block(&[id], out)?;
        // What is told besides the successors would be lost.
        if told == (out.faults.len(), out.blocked.len()) {
            let reduced = self.reduced.as_ref().map_or(0, Reduced::bytes);
            let System { edges, valuations, remembered, store, limit, reserved, .. } = self;
            let marks = out.marks.get(start..).unwrap_or(&[]);
            let grows = edges.put(id, &out.ids[start..], marks, |edges| match *limit {
                None => usize::MAX,
                Some(limit) => {
                    let own = edges.bytes() + valuations.bytes() + remembered.bytes() + reduced;
                    limit.saturating_sub(*reserved + own + store.bytes())
                }
            });
            if grows {
                self.limit_store();
            }
        }
        Ok(())
    }
}
