//! In which order the states of a product are looked at.
//!
//! Depth first, as all emptiness checks go, a product waits for memory at every step. What can be
//! done breadth first is done so, if the first states did not decide: see
//! [`lariat_search::product::sweep`].

use lariat_checks::{Algorithm, Setup, dispatch};
use lariat_core::{Automaton, Emptiness, Lasso, Limit, Outcome, Stats};
use lariat_report::numbers::grouped;
use lariat_search::product::Product;
use lariat_search::product::components::Components;
use lariat_search::product::sweep::Sweep;
use lariat_system::SystemGraph;

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
    seeks_marks: bool,
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
        let seeks_marks = algorithm == Algorithm::Dijkstra && fair.is_none();
        let is_allowed = order != Order::DepthFirst && setup.allows_sweep();
        let components = is_allowed.then(|| Components::of(automaton)).flatten();
        let components = components.filter(|found| seeks_marks || found.begin_before_acceptance());
        Orders { setup, algorithm, order, components, seeks_marks, about, observer }
    }

    /// For `--explain`.
    pub(super) fn in_words(&self, states: usize) -> Option<String> {
        let components = self.components.as_ref()?;
        let mut what = Vec::new();
        if self.seeks_marks {
            what.push("for marks".to_owned());
        }
        if components.begin_before_acceptance() {
            what.push(format!(
                "in {} of {states} automaton states",
                components.before_acceptance()
            ));
        }
        let when = match self.order {
            Order::Both { in_products, .. } => {
                format!(", if {} states depth first do not decide", grouped(in_products))
            }
            _ => String::new(),
        };
        Some(format!("sweep: breadth first {}{when}", what.join(", then ")))
    }

    /// Runs the check.
    pub(super) fn check<G: SystemGraph, A: Automaton>(
        &self,
        product: &mut Product<'_, G, A>,
    ) -> Outcome {
        let Some(components) = &self.components else {
            return dispatch::check_product(product, self.algorithm, self.setup);
        };
        let Order::Both { in_products: most, .. } = self.order else {
            return self.sweep(product, components);
        };
        product.set_budget(most);
        let first = dispatch::check_product(product, self.algorithm, self.setup);
        let spent = most - product.budget();
        let can_sweep = components.begin_before_acceptance();
        let found = match &first.verdict {
            Emptiness::Found(lasso) if length(lasso) > LONG && can_sweep => {
                // As long again for one that is easier to read.
                product.set_budget(spent.max(LONG as u64));
                let second = self.check_behind_sweep(product, components);
                match &second.verdict {
                    Emptiness::Found(other) if length(other) < length(lasso) => second,
                    _ => first,
                }
            }
            Emptiness::Inconclusive(Limit::Budget) => {
                self.observer.remark(&format!(
                    "{}: not decided by the first {} states, depth first; starting again breadth \
                     first, which is faster for all of them (--dfs goes on depth first)",
                    self.about,
                    grouped(most)
                ));
                product.set_budget(u64::MAX);
                product.forget_states();
                self.sweep(product, components)
            }
            _ => first,
        };
        product.set_budget(u64::MAX);
        found
    }

    /// Whether all marks occur, and if so, the check behind the part that can be swept.
    fn sweep<G: SystemGraph, A: Automaton>(
        &self,
        product: &mut Product<'_, G, A>,
        components: &Components,
    ) -> Outcome {
        if self.seeks_marks {
            let mut sweep = Sweep::for_marks(product, components);
            if let Some(verdict) = sweep.look_for_marks() {
                return Outcome { verdict, stats: sweep.with_own(&Stats::default()) };
            }
        }
        match components.begin_before_acceptance() {
            true => self.check_behind_sweep(product, components),
            false => dispatch::check_product(product, self.algorithm, self.setup),
        }
    }

    fn check_behind_sweep<G: SystemGraph, A: Automaton>(
        &self,
        product: &mut Product<'_, G, A>,
        components: &Components,
    ) -> Outcome {
        let mut sweep = Sweep::new(product, components);
        let Outcome { verdict, stats } =
            dispatch::check_product(&mut sweep, self.algorithm, self.setup);
        let stats = sweep.with_own(&stats);
        let verdict = match verdict {
            Emptiness::Found(lasso) => Emptiness::Found(sweep.whole(&lasso)),
            other => other,
        };
        Outcome { verdict, stats }
    }
}

fn length(lasso: &Lasso) -> usize {
    lasso.prefix.len() + lasso.cycle.len()
}
