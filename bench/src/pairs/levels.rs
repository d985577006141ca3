//! Properties of states, reduced by levels on several threads (docs/por.md, "By levels"): the answers are those without reduction, and
//! counts do not depend on the threads.

use lariat_search::safety::Condition;
use lariat_verify::answer::Kind;
use lariat_verify::reduction::ReductionSwitches;
use lariat_verify::safety::{Errors, StateProperty, check};
use lariat_verify::{Answer, Config, Engine, Error, Loaded, Order, Silent, Status};

use super::{Language, Program, Tally, plain};
use crate::random::Rng;

/// What was seen of them.
#[derive(Clone, Debug, Default)]
pub struct ByLevels {
    /// Questions for which steps may be left out, and those of them with an error.
    pub asked: u64,
    pub violated: u64,
    /// Answers that were compared.
    pub answers: u64,
    /// Questions without an error for which states were left out.
    pub smaller: u64,
}

impl Tally {
    /// Asks for errors, and whether a state with each of the propositions can be reached.
    pub(super) fn look_at_states(&mut self, program: &Program, loaded: &mut Loaded, rng: &mut Rng) {
        let (name, kind) = (String::from("errors"), Kind::Safety);
        let mut properties = vec![StateProperty { name, kind, condition: None }];
        for text in &program.propositions {
            let Ok(expr) = loaded.expression("proposition", text) else { continue };
            let condition = Some((Condition { expr, wanted: rng.chance(50) }, text.clone()));
            let (name, kind) = (text.clone(), Kind::Invariant);
            properties.push(StateProperty { name, kind, condition });
        }
        for property in properties {
            self.by_levels(program, loaded, &property, rng);
        }
    }

    fn by_levels(
        &mut self,
        program: &Program,
        loaded: &Loaded,
        property: &StateProperty,
        rng: &mut Rng,
    ) {
        let errors = Errors { deadlock: program.language == Language::Dve, ..Errors::default() };
        let config = Config { order: Order::BreadthFirst, errors, ..plain() };
        let no_por = ReductionSwitches { no_por: true };
        let full = Config { reduction: no_por, ..config.clone() };
        let Ok(full) = check(loaded, property, &full, &Silent) else { return };
        if full.status() == Status::Inconclusive {
            return;
        }
        let mut said: Vec<(String, Result<Answer, Error>)> = Vec::new();
        // Three are asked of the same beginning: what is counted depends on when levels begin.
        let set_after = Some(1 + rng.below(4));
        for threads in [2, 2, 3] {
            let engine = Engine {
                threads: Some(threads),
                set_after,
                plan_after: Some(4),
                ..config.engine.clone()
            };
            let config = Config { engine, ..config.clone() };
            let how = format!("{threads} threads, by levels after {set_after:?}");
            said.push((how, check(loaded, property, &config, &Silent)));
        }
        if !said.iter().any(|(_, answer)| answer.as_ref().is_ok_and(|it| it.reduction.is_used())) {
            return;
        }
        let seen = &mut self.levels;
        seen.asked += 1;
        seen.violated += u64::from(full.status() == Status::Violated);
        let states = |answer: &Answer| (answer.statistics.states, answer.statistics.transitions);
        let mut counts = Vec::new();
        for (how, answer) in said {
            seen.answers += 1;
            let wrong = match answer {
                Ok(answer) if answer.status() == full.status() => {
                    counts.push(states(&answer));
                    continue;
                }
                Ok(answer) => format!("{}, not {}", answer.status().name(), full.status().name()),
                Err(error) => error.to_string(),
            };
            let Program { name, text, .. } = program;
            self.wrong.push(format!("{name}: {how}: {} {wrong}\n{text}", property.name));
        }
        if full.status() != Status::Holds {
            return;
        }
        let most = states(&full);
        seen.smaller += u64::from(counts.iter().any(|count| count.0 < most.0));
        if counts.iter().any(|&count| count != counts[0] || count.0 > most.0) {
            let Program { name, text, .. } = program;
            self.wrong.push(format!("{name}: {} {counts:?} of {most:?}\n{text}", property.name));
        }
    }
}
