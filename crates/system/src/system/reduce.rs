//! Successors that partial-order reduction keeps.

use std::ops::Range;

use lariat_core::{Batch, Flat, SystemId, SystemStore, Word};
use lariat_model::ir::layout::Divergence;
use lariat_model::steps::Begun;

use super::{System, whole};
use crate::reduced::{LeftOut, Reach, Sample};
use crate::{Edges, Stop};

/// Whether one of these steps is a run inside an atomic sequence that never ends. Such a step commutes
/// with nothing (docs/por.md), so all others are taken, too.
fn diverges(batch: &Flat, kept: &[Range<usize>], hidden_words: usize) -> bool {
    let header = |at: usize| batch.row(at)[hidden_words].to_le_bytes();
    kept.iter().cloned().flatten().any(|at| Divergence::of(&header(at)).is_some())
}

/// The steps of processes that are wanted.
fn kept(begun: &[Begun], is_wanted: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let (mut first, mut kept) = (0, Vec::new());
    for &Begun { pid, end } in begun {
        let end = end as usize;
        if is_wanted(pid.into()) && end > first {
            kept.push(first..end);
        }
        first = end;
    }
    kept
}

impl<S: SystemStore<Row = [Word]>> System<'_, S> {
    /// Whether something may be left out in a state.
    #[inline]
    pub(super) fn is_chosen_for(&self, id: SystemId) -> bool {
        self.reduced.as_ref().is_some_and(|reduced| reduced.looks_at(id))
    }

    /// Whether ids decide that nothing is left out for ever.
    #[inline]
    pub(super) fn goes_by_ids(&self) -> bool {
        self.reduced.as_ref().is_some_and(|reduced| reduced.left_out.goes_by_ids())
    }

    /// The successors of a state that are kept; how many there are.
    pub(super) fn take_in_chosen(
        &mut self,
        id: SystemId,
        out: &mut Edges,
    ) -> Result<(usize, Reach), Stop> {
        // Which steps are chosen does not say who else could have moved, as marks do.
        if self.mark_count == 0
            && self.may_go_by_parts()
            && let Some(parts) = self.steps.parts()
            && let Some(reduced) = &mut self.reduced
        {
            let chooser = &mut reduced.chooser;
            let store = &mut self.store;
            let taken = self.remembered.take_in_reduced(id, parts, chooser, store, &mut out.ids)?;
            if let Some((taken, reach)) = taken {
                #[cfg(debug_assertions)]
                self.assert_same_choice(id, taken.successors);
                out.atomic_steps += taken.atomic_steps;
                return Ok((taken.successors, reach));
            }
        }
        self.batch.clear();
        let visible = self.store.load(id);
        let row = whole(&self.hidden, visible, &mut self.row);
        self.steps.expand_by_process(row, &mut self.batch, &mut self.begun);
        let reduced = self.reduced.as_mut().expect("only then something is chosen");
        let parts = self.steps.parts().filter(|_| self.hidden_words == 0);
        let mut reach = reduced.chooser.choose_whole(row, &self.begun, parts);
        let chooser = &reduced.chooser;
        self.kept.clear();
        if reach == Reach::Reduced {
            let mut first = 0;
            for &Begun { pid, end } in &self.begun {
                let end = end as usize;
                if chooser.has_chosen(pid.into()) && end > first {
                    self.kept.push(first..end);
                }
                first = end;
            }
            if diverges(&self.batch, &self.kept, self.steps.hidden_words()) {
                reach = Reach::Full;
                self.kept.clear();
            }
        }
        if reach == Reach::Full {
            self.kept.push(0..self.batch.len());
        }
        if let Some(widen) = self.widen() {
            return Err(widen);
        }
        let taken = self.take_in_kept(out)?;
        #[cfg(debug_assertions)]
        self.assert_same_choice(id, taken);
        Ok((taken, reach))
    }

    /// All successors of a state, and sets of them that may stand for all.
    pub(super) fn expand_with_candidates(
        &mut self,
        id: SystemId,
        out: &mut Edges,
        sets: &mut Vec<Vec<usize>>,
    ) -> Result<(), Stop> {
        let first = out.ids.len();
        self.batch.clear();
        let row = whole(&self.hidden, self.store.load(id), &mut self.row);
        self.steps.expand_by_process(row, &mut self.batch, &mut self.begun);
        if let Some(chooser) = &mut self.candidates {
            for processes in chooser.candidates(row, &self.begun) {
                let kept = kept(&self.begun, |pid| processes.contains(pid));
                if !diverges(&self.batch, &kept, self.steps.hidden_words()) {
                    sets.push(kept.into_iter().flatten().map(|at| first + at).collect());
                }
            }
        }
        if let Some(widen) = self.widen() {
            return Err(widen);
        }
        self.kept.clear();
        self.kept.push(0..self.batch.len());
        let taken = self.take_in_kept(out)?;
        self.store.finish(&mut out.ids)?;
        out.ends.push(first + taken);
        self.expanded += 1;
        self.budget -= 1;
        Ok(())
    }

    /// Judges whether reduction pays: whether it keeps states away, or only ways to them. Of some states that were
    /// reduced a while ago, it is asked which of the successors that were left out are still not known.
    #[cold]
    pub(super) fn judge_reduction(&mut self) {
        let Some(reduced) = &mut self.reduced else { return };
        let (states, first) = (self.store.len(), self.expanded_now as usize / 4);
        let (mut sample, mut begun) = (Sample::default(), Vec::new());
        let mut batch = self.steps.batch(usize::MAX);
        for id in reduced.sample(first) {
            batch.clear();
            let row = self.store.load(id);
            self.steps.expand_by_process(row, &mut batch, &mut begun);
            reduced.chooser.choose_whole(row, &begun, None);
            let mut from = 0;
            sample.states += 1;
            for &Begun { pid, end } in &begun {
                let left_out = !reduced.chooser.has_chosen(pid.into());
                for at in (from..end as usize).filter(|_| left_out) {
                    sample.absent += usize::from(self.store.knows(batch.row(at)) != Some(true));
                }
                from = end as usize;
            }
        }
        reduced.judge(&sample, first, states);
    }

    /// Notes which states of a block are reduced, by bits. If ids decide, the block is one state,
    /// whose successors are taken in fully if the reduced ones do not all have larger ids.
    pub(super) fn note_reduced(
        &mut self,
        ids: &[SystemId],
        reduced: u64,
        out: &mut Edges,
    ) -> Result<(), Stop> {
        let first = out.sources() - ids.len();
        if self.goes_by_ids() {
            let range = out.of(first);
            if LeftOut::is_suspect(ids[0], &out.ids[range]) {
                // Those that were taken in stay the first ones, since new states have got ids in
                // their order.
                out.ends.pop();
                out.faults.retain(|fault| fault.source < first);
                out.blocked.retain(|&source| source < first);
                // The store may pack states in another way since they got ids.
                self.remembered.look_again();
                let end = out.ids.len() + self.take_in_all(ids[0], out)?;
                out.ends.push(end);
                return Ok(self.store.finish(&mut out.ids)?);
            }
        }
        let Some(known) = self.reduced.as_mut().filter(|known| !known.is_leveled) else {
            return Ok(());
        };
        for (at, &id) in ids.iter().enumerate().filter(|(at, _)| reduced >> at & 1 == 1) {
            known.left_out.note(id, &out.ids[out.of(first + at)]);
        }
        Ok(())
    }

    /// What was chosen by parts is what the whole state says, at every visit.
    #[cfg(debug_assertions)]
    fn assert_same_choice(&mut self, id: SystemId, taken: usize) {
        let Some(reduced) = &mut self.reduced else { return };
        let (mut batch, mut begun) = (self.steps.batch(usize::MAX), Vec::new());
        let row = self.store.load(id);
        self.steps.expand_by_process(row, &mut batch, &mut begun);
        if begun.is_empty() {
            return;
        }
        reduced.chooser.choose_whole(row, &begun, None);
        let kept = kept(&begun, |pid| reduced.chooser.has_chosen(pid));
        let count = match diverges(&batch, &kept, self.steps.hidden_words()) {
            true => batch.len(),
            false => kept.iter().map(Range::len).sum(),
        };
        assert_eq!(taken, count, "the steps of state {id} are chosen in one way only");
    }
}
