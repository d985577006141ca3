//! How many states of the system there are in a product: each is counted in the first automaton state in which it is there.

use lariat_core::Word;
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::pass::{Own, Pass};
use super::walker::Block;
use crate::product::components::Components;

pub(super) struct Distinct {
    /// The automaton states.
    states: Vec<Word>,
}

impl Distinct {
    pub(super) fn new(components: &Components) -> Self {
        Distinct { states: components.all().collect() }
    }
}

impl Pass for Distinct {
    fn keeps_states(&self) -> bool {
        false
    }

    fn wants(&self, _: Word, _: Word) -> bool {
        false
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let keys = session.keys();
        let (mut earlier, mut of) = (Vec::new(), Vec::new());
        let mut is_first = vec![true; states.len()];
        for (at, &(key, _)) in states.iter().enumerate() {
            let (root, state) = keys.split(key);
            if self.states.last().is_some_and(|&last| state > last) {
                // That of an accepting edge: see `deep`.
                is_first[at] = false;
                continue;
            }
            let before = self.states.iter().take_while(|&&other| other < state);
            earlier.extend(before.map(|&other| keys.join(root, other)));
            of.resize(earlier.len(), at);
        }
        session.payloads(&earlier, |at, found| is_first[of[at]] &= found.is_none());
        own.counted += is_first.iter().filter(|&&is_first| is_first).count() as u64;
        Ok(())
    }

    fn note(
        &self,
        _: &[u64],
        _: &Block,
        _: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        Ok(false)
    }
}
