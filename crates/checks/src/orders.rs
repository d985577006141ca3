//! In which order the states of a product are looked at.
//!
//! Depth first, as all emptiness checks go, a product waits for memory at every step. What can be
//! done breadth first is done so, if the first states did not decide: see
//! [`lariat_search::product::sweep`].

use crate::algorithm::Algorithm;
use crate::order::Order;
use crate::setup::Setup;
use lariat_core::{Automaton, Emptiness, Fixed, Graph, Lasso, Limit, Outcome, Stats};
use lariat_search::product::Product;
use lariat_search::product::components::Components;
use lariat_search::product::sweep::Sweep;
use lariat_system::SystemGraph;

/// States of a run that is long for a reader.
const LONG: usize = 100;

/// Runs a check on a product: [`crate::check_usual`] or all of `dispatch`.
pub type Runs = fn(&mut dyn Graph<Batch = Fixed<2>>, Algorithm, &Setup) -> Outcome;

/// A check, and what may be done before it.
pub struct Orders<'a> {
    setup: &'a Setup,
    algorithm: Algorithm,
    order: Order,
    /// Those of the automaton, if something may be done breadth first.
    components: Option<Components>,
    /// Whether to look first if all marks occur.
    seeks_marks: bool,
    runs: Runs,
}

impl<'a> Orders<'a> {
    /// `is_fair`: the system's steps carry marks of their own.
    pub fn of<A: Automaton>(
        setup: &'a Setup,
        order: Order,
        is_fair: bool,
        automaton: &A,
        algorithm: Algorithm,
        runs: Runs,
    ) -> Self {
        // Weak components have all marks everywhere.
        let seeks_marks = algorithm == Algorithm::Dijkstra && !is_fair;
        let is_allowed = order != Order::DepthFirst && setup.allows_sweep();
        let components = is_allowed.then(|| Components::of(automaton)).flatten();
        Orders { setup, algorithm, order, components, seeks_marks, runs }
    }

    /// Whether states may be looked at in any order.
    pub fn are_free(&self) -> bool {
        self.components.is_some()
    }

    /// The components, if there is something to sweep.
    fn swept(&self) -> Option<&Components> {
        let sweeps = |found: &&Components| self.seeks_marks || found.begin_before_acceptance();
        self.components.as_ref().filter(sweeps)
    }

    /// For `--explain`; `number` writes a number of states.
    pub fn in_words(&self, states: usize, number: impl Fn(u64) -> String) -> Option<String> {
        let components = self.swept()?;
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
                format!(", if {} states depth first do not decide", number(in_products))
            }
            _ => String::new(),
        };
        Some(format!("sweep: breadth first {}{when}", what.join(", then ")))
    }

    fn run(&self, product: &mut dyn Graph<Batch = Fixed<2>>) -> Outcome {
        (self.runs)(product, self.algorithm, self.setup)
    }

    /// Runs the check. `starts_again` is told when so many states depth first have not decided. After so many expansions,
    /// if there is a `budget`, it gives up.
    pub fn check<G: SystemGraph, A: Automaton>(
        &self,
        product: &mut Product<'_, G, A>,
        budget: Option<u64>,
        starts_again: impl Fn(u64),
    ) -> Outcome {
        let budget = budget.unwrap_or(u64::MAX);
        product.set_budget(budget);
        let outcome = self.check_within(product, budget, starts_again);
        product.set_budget(u64::MAX);
        outcome
    }

    fn check_within<G: SystemGraph, A: Automaton>(
        &self,
        product: &mut Product<'_, G, A>,
        budget: u64,
        starts_again: impl Fn(u64),
    ) -> Outcome {
        let Some(components) = self.swept() else {
            return self.run(product);
        };
        let Order::Both { in_products: most, .. } = self.order else {
            return self.sweep(product, components);
        };
        let most = most.min(budget);
        product.set_budget(most);
        let first = self.run(product);
        let spent = most - product.budget();
        let can_sweep = components.begin_before_acceptance();
        match &first.verdict {
            Emptiness::Found(lasso) if length(lasso) > LONG && can_sweep => {
                // As long again for one that is easier to read.
                product.set_budget(spent.max(LONG as u64));
                let second = self.check_behind_sweep(product, components);
                match &second.verdict {
                    Emptiness::Found(other) if length(other) < length(lasso) => second,
                    _ => first,
                }
            }
            Emptiness::Inconclusive(Limit::Budget) if most < budget => {
                starts_again(most);
                product.set_budget(budget);
                product.forget_states();
                self.sweep(product, components)
            }
            _ => first,
        }
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
            false => self.run(product),
        }
    }

    fn check_behind_sweep<G: SystemGraph, A: Automaton>(
        &self,
        product: &mut Product<'_, G, A>,
        components: &Components,
    ) -> Outcome {
        let mut sweep = Sweep::new(product, components);
        let Outcome { verdict, stats } = self.run(&mut sweep);
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
