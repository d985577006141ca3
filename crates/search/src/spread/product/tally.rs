//! How much was looked at.

use lariat_core::{Automaton, Broken, Stats, Word};
use lariat_system::SystemGraph;

use super::search::{Ended, Search};
use super::{SpreadOutcome, said};
use crate::spread::status::{Agreed, Halted, agree};

/// States of the set that are looked at together.
const TOGETHER: usize = 8_192;

/// What this worker has looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    states: u64,
    transitions: u64,
    /// Different states of the system.
    system_states: u64,
}

impl<A: Automaton + Sync> Search<'_, '_, '_, A> {
    /// What there is now.
    pub(super) fn tally(&mut self) -> Tally {
        let (states, transitions) = (self.shard.len() as u64, self.transitions);
        Tally { states, transitions, system_states: self.distinct() }
    }

    pub(super) fn outcome(&mut self, end: Ended) -> Result<SpreadOutcome, Broken> {
        let own = self.shard.expander.dead_end;
        let tally = match (end, self.found_by) {
            (None, _) => self.tally(),
            // The search for the run has other states.
            (Some(_), Some(tally)) => tally,
            (Some(_), None) => Tally {
                states: self.shard.len() as u64,
                transitions: self.transitions,
                system_states: 0,
            },
        };
        let counts = [
            tally.states,
            tally.transitions,
            self.shard.own.expanded,
            self.shard.bytes() as u64,
            tally.system_states,
            u64::from(own.is_some() || self.has_dead_end),
        ];
        let Agreed { counts, .. } = agree(self.shard.own.exchange, Halted::No, &counts, &[])?;
        let stats = Stats {
            states: counts[0],
            transitions: counts[1],
            expansions: counts[2],
            bytes: counts[3],
            ..Stats::default()
        };
        let (verdict, stopped) = said(end);
        let (system_states, has_dead_end) = (counts[4] as usize, counts[5] > 0);
        let dead_end = has_dead_end.then_some(own);
        let lasso = self.lasso.take();
        Ok(SpreadOutcome { verdict, lasso, stopped, stats, system_states, dead_end })
    }

    /// How many states of the system this worker has: each is counted in the first automaton state in which it is there.
    fn distinct(&mut self) -> u64 {
        let states: Vec<Word> = self.components.all().collect();
        self.shard.at_work(|_, system, _| {
            let sections = system.len() / TOGETHER + 1;
            let session = system.session();
            let (keys, mut count) = (session.keys(), 0);
            for section in 0..sections {
                let mut all = Vec::new();
                session.for_each_in(section, sections, |key, _| all.push(keys.split(key)));
                for (root, state) in all {
                    let earlier = states.iter().take_while(|&&other| other < state);
                    let earlier: Vec<u64> = earlier.map(|&other| keys.join(root, other)).collect();
                    let mut is_first = true;
                    session.payloads(&earlier, |_, found| is_first &= found.is_none());
                    count += u64::from(is_first);
                }
            }
            count
        })
    }
}
