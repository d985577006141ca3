//! The propositions of a state.

use lariat_core::{SystemId, SystemStore, Word};
use lariat_model::interp::{Interp, row};
use lariat_model::ir::layout::NR_PROCESSES;
use lariat_model::ir::transition::Discipline;

use super::{Meaning, System, whole};
use crate::{NO_VALUATION, Stop, Valuation};

impl<S: SystemStore<Row = [Word]>> System<'_, S> {
    /// Has the propositions of a state evaluated.
    pub(super) fn evaluate(&mut self, id: SystemId) -> Result<Valuation, Stop> {
        let visible = self.store.load(id);
        let is_dve = self.model.discipline != Discipline::Spin;
        let is_of_states = matches!(self.meaning, Meaning::States);
        if is_of_states && is_dve && visible[0].to_le_bytes()[NR_PROCESSES] == 0 {
            return Ok(NO_VALUATION);
        }
        let row = whole(&self.hidden, visible, &mut self.row);
        let props = self.steps.props(row);
        let undefined = self.steps.undefined();
        let truth = props & !undefined;
        if undefined != 0
            && let Meaning::Runs { propositions, matters, .. } = &self.meaning
            // Neither true nor false. That does not matter where another one decides, as `i < N`
            // does in `i < N -> a[i] == 0`.
            && matters(undefined, truth)
        {
            let (bytes, hidden) = row::unpack(self.model, row);
            let mut interp = Interp::new(self.model);
            interp.load_with_hidden(&bytes, &hidden);
            let proposition = propositions[undefined.trailing_zeros() as usize];
            if let Err(fault) = interp.eval_loaded(proposition, None) {
                return Err(Stop::Fault(fault));
            }
        }
        Ok(self.valuations.number(truth))
    }
}
