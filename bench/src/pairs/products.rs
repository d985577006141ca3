//! Products that are reduced by levels on several threads (docs/por.md, "Products by levels"): the answers are those without reduction, and
//! counts do not depend on the threads.

use lariat_verify::config::ProductSwitches;
use lariat_verify::property::formula::Property;
use lariat_verify::{Config, Engine, Loaded, Order, Silent, Status};

use super::{Program, Tally};
use crate::random::Rng;

/// What was seen of them.
#[derive(Clone, Debug, Default)]
pub struct OfThreads {
    /// Answers that were compared.
    pub answers: u64,
    /// Of properties that hold: pairs for which states were left out.
    pub smaller: u64,
}

impl Tally {
    /// Asks two threads, two again and three. `truth` was found without reduction, with so many states of the product.
    pub(super) fn on_threads(
        &mut self,
        program: &Program,
        (loaded, property): (&Loaded, &Property),
        plain: &Config,
        (truth, states): (Status, u64),
        rng: &mut Rng,
    ) {
        // What is counted depends on whether elimination was asked for, and not on when threads begin: they do from the initial state on.
        let switches = ProductSwitches { elimination: rng.chance(70), ..plain.switches };
        let mut counts = Vec::new();
        for threads in [2, 2, 3] {
            let engine = Engine {
                threads: Some(threads),
                set_after: Some(1 + rng.below(4)),
                plan_after: Some(4),
                ..plain.engine.clone()
            };
            let order = Order::Both { first: 1, in_products: 1 };
            let config = Config { engine, order, switches, ..plain.clone() };
            self.of_threads.answers += 1;
            let wrong = match lariat_verify::temporal::check(loaded, property, &config, &Silent) {
                Ok(answer) if answer.status() == truth => {
                    let statistics = &answer.statistics;
                    counts.push((statistics.states, statistics.transitions));
                    continue;
                }
                Ok(answer) => format!("{}, not {}", answer.status().name(), truth.name()),
                Err(error) => error.to_string(),
            };
            let Program { name, text, .. } = program;
            let of = &property.text;
            self.wrong.push(format!("{name}: {threads} threads: {wrong}\n{of}\n{text}"));
        }
        if truth != Status::Holds || counts.is_empty() {
            return;
        }
        self.of_threads.smaller += u64::from(counts[0].0 < states);
        // Without being asked, two threads may go back to numbers, where three do not.
        let is_one = |count: &(u64, u64)| *count == counts[0];
        let are_one = counts[..2.min(counts.len())].iter().all(is_one);
        if !are_one || switches.elimination && !counts.iter().all(is_one) {
            let Program { name, text, .. } = program;
            self.wrong.push(format!("{name}: {} {counts:?} on threads\n{text}", property.text));
        }
    }
}
