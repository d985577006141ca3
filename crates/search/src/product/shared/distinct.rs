//! How many states of the system there are in a product: each is counted in the first automaton state in which it is there. Those before acceptance may have been put aside.

use lariat_core::Word;
use lariat_store::SharedSession;
use lariat_system::Stop;

use super::pass::{Own, Pass};
use super::walker::Block;
use crate::product::components::Components;

pub(super) struct Distinct<'c> {
    components: &'c Components,
    /// The automaton states.
    states: Vec<Word>,
    /// Whether those before acceptance are aside.
    is_aside: bool,
}

impl<'c> Distinct<'c> {
    pub(super) fn new(components: &'c Components, is_aside: bool) -> Self {
        Distinct { components, states: components.all().collect(), is_aside }
    }

    /// Whether a product state with this automaton state would be among those that were put aside.
    fn would_be_aside(&self, state: Word) -> bool {
        self.is_aside && self.components.is_before(state)
    }
}

impl Pass for Distinct<'_> {
    fn keeps_states(&self) -> bool {
        false
    }

    fn wants(&self, _: Word, _: Word) -> bool {
        false
    }

    fn picks(&self) -> bool {
        true
    }

    fn picks_aside(&self) -> Option<&Components> {
        self.is_aside.then_some(self.components)
    }

    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let keys = session.keys();
        // Keys of the same system state, and of which one of these states.
        let [mut here, mut aside] = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        let mut is_first = vec![true; states.len()];
        for (at, &(key, _)) in states.iter().enumerate() {
            let (root, state) = keys.split(key);
            if self.states.last().is_some_and(|&last| state > last) {
                // That of an accepting edge: see `deep`.
                is_first[at] = false;
                continue;
            }
            for &other in self.states.iter().take_while(|&&other| other < state) {
                let (earlier, of) = if self.would_be_aside(other) { &mut aside } else { &mut here };
                earlier.push(keys.join(root, other));
                of.push(at);
            }
        }
        session.payloads(&here.0, |at, found| is_first[here.1[at]] &= found.is_none());
        session.were_put_aside(&aside.0, |at, _| is_first[aside.1[at]] = false);
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
