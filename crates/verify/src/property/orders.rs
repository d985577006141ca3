//! In which order the states of a product are looked at.
//!
//! Depth first, as all emptiness checks go, a product waits for memory at every step. What can be
//! done breadth first is done so, if the first states did not decide: see
//! [`lariat_search::shared_product::sweep`].

use lariat_checks::{Algorithm, Setup, dispatch};
use lariat_core::{
    Automaton, Flat, Lasso, Outcome, Reason, StateSpace, Stats, SystemStore, Verdict, Word,
};
use lariat_report::numbers::grouped;
use lariat_search::shared_product::SharedProduct;
use lariat_search::shared_product::components::Components;
use lariat_search::shared_product::sweep::{Hunted, Sweep};

use super::search::Task;
use crate::observer::Observer;
use crate::order::Order;

/// States of a run that is long for a reader.
const LONG: usize = 100;

/// A check, and what may be done before it.
pub(super) struct Orders<'a> {
    setup: &'a Setup,
    algorithm: Algorithm,
    order: Order,
    /// Those of the automaton, if there is something to sweep.
    components: Option<Components>,
    /// Whether to look first if all marks occur.
    hunts: bool,
    /// Model and property.
    about: String,
    observer: &'a dyn Observer,
}

impl<'a> Orders<'a> {
    pub(super) fn of<A: Automaton>(
        task: &Task<'a>,
        automaton: &A,
        algorithm: Algorithm,
        about: String,
    ) -> Self {
        let Task { setup, order, fair, observer, .. } = *task;
        // Weak components have all marks everywhere.
        let hunts = algorithm == Algorithm::Dijkstra && fair.is_none();
        let is_allowed = order != Order::DepthFirst && setup.allows_sweep();
        let components = is_allowed.then(|| Components::of(automaton)).flatten();
        let components = components.filter(|found| hunts || found.are_calm_at_first());
        Orders { setup, algorithm, order, components, hunts, about, observer }
    }

    /// For `--explain`.
    pub(super) fn in_words(&self, states: usize) -> Option<String> {
        let components = self.components.as_ref()?;
        let mut what = Vec::new();
        if self.hunts {
            what.push("for marks".to_owned());
        }
        if components.are_calm_at_first() {
            what.push(format!("in {} of {states} automaton states", components.calm_count()));
        }
        let when = match self.order {
            Order::Both { in_products, .. } => {
                format!(", if {} states depth first do not decide", grouped(in_products))
            }
            _ => String::new(),
        };
        Some(format!("sweep: breadth first {}{when}", what.join(", then ")))
    }

    /// Runs the check. Whether there was no room is added to `is_full`.
    pub(super) fn check<M, A, S>(
        &self,
        product: &mut SharedProduct<'_, M, A, S>,
        is_full: &mut bool,
    ) -> Outcome
    where
        M: StateSpace<Batch = Flat>,
        A: Automaton,
        S: SystemStore<Row = [Word]>,
    {
        let Some(components) = &self.components else {
            return dispatch::check_product(product, self.algorithm, self.setup);
        };
        let Order::Both { in_products: most, .. } = self.order else {
            return self.sweep(product, components, is_full);
        };
        product.set_patience(most);
        let first = dispatch::check_product(product, self.algorithm, self.setup);
        let spent = most - product.patience();
        let is_out_of_patience = product.is_out_of_patience();
        let found = match &first.verdict {
            Verdict::Accepting(lasso) if length(lasso) > LONG && components.are_calm_at_first() => {
                // As long again for one that is easier to read.
                product.set_patience(spent.max(LONG as u64));
                let second = self.check_behind_sweep(product, components, &mut false);
                match &second.verdict {
                    Verdict::Accepting(other) if length(other) < length(lasso) => second,
                    _ => first,
                }
            }
            Verdict::Inconclusive(_) if is_out_of_patience => {
                self.observer.remark(&format!(
                    "{}: not decided by the first {} states, depth first; starting again breadth \
                     first, which is faster for all of them (--dfs goes on depth first)",
                    self.about,
                    grouped(most)
                ));
                product.set_patience(u64::MAX);
                product.forget_states();
                self.sweep(product, components, is_full)
            }
            _ => first,
        };
        product.set_patience(u64::MAX);
        found
    }

    /// Whether all marks occur, and if so, the check behind the part that can be swept.
    fn sweep<M, A, S>(
        &self,
        product: &mut SharedProduct<'_, M, A, S>,
        components: &Components,
        is_full: &mut bool,
    ) -> Outcome
    where
        M: StateSpace<Batch = Flat>,
        A: Automaton,
        S: SystemStore<Row = [Word]>,
    {
        if self.hunts {
            let mut sweep = Sweep::for_marks(product, components);
            let hunted = sweep.hunt();
            *is_full |= sweep.is_full();
            let stats = sweep.with_own(&Stats::default());
            let verdict = match hunted {
                Hunted::Found => None,
                Hunted::Missing => Some(Verdict::Empty),
                Hunted::Interrupted => Some(Verdict::Inconclusive(Reason::Interrupted)),
            };
            if let Some(verdict) = verdict {
                return Outcome { verdict, stats };
            }
        }
        match components.are_calm_at_first() {
            true => self.check_behind_sweep(product, components, is_full),
            false => dispatch::check_product(product, self.algorithm, self.setup),
        }
    }

    fn check_behind_sweep<M, A, S>(
        &self,
        product: &mut SharedProduct<'_, M, A, S>,
        components: &Components,
        is_full: &mut bool,
    ) -> Outcome
    where
        M: StateSpace<Batch = Flat>,
        A: Automaton,
        S: SystemStore<Row = [Word]>,
    {
        let mut sweep = Sweep::new(product, components);
        let Outcome { verdict, stats } =
            dispatch::check_product(&mut sweep, self.algorithm, self.setup);
        *is_full |= sweep.is_full();
        let stats = sweep.with_own(&stats);
        let verdict = match verdict {
            Verdict::Accepting(lasso) => Verdict::Accepting(sweep.whole(&lasso)),
            other => other,
        };
        Outcome { verdict, stats }
    }
}

fn length(lasso: &Lasso) -> usize {
    lasso.prefix.len() + lasso.cycle.len()
}
