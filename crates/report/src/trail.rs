//! A run as a trail that Spin's guided simulation (`spin -t`) replays.
//!
//! A line is `depth:pid:statement`. Statements have the numbers of the elements that Spin's
//! parser makes, in the order in which it makes them ([`Model::trail_numbers`]); the number of
//! a choice is that of the first statement of the option. `-1:-1:-1` stands before the loop.
//! The trail names every statement, without Spin's merging, and has no lines of a claim: the
//! claim does not move the system. Which models are refused is said in docs/trails.md.

use std::fmt;
use std::fmt::Write;

use lariat_model::interp::Move;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Action, DStep, DStepNode, Model};

use crate::execution::{Ending, Execution};

/// Why no trail is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoTrail {
    NotPromela,
    /// A label of a `goto` is asked for from outside: Spin makes statements out of turn.
    ExposedLabel,
    /// Spin would choose by chance in this `d_step`.
    ChoiceInDStep(String),
    /// Spin as it is usually built refuses models with this operator in an `ltl` block.
    NextOperator(String),
    /// Spin loses messages only with `-m`, which a trail cannot say.
    LostMessages,
}

impl fmt::Display for NoTrail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTrail::NotPromela => write!(f, "trails are for Promela models"),
            NoTrail::ExposedLabel => write!(
                f,
                "the label of a goto is referred to, so Spin's numbers of statements are not known"
            ),
            NoTrail::ChoiceInDStep(text) => {
                write!(f, "Spin would choose by chance in this d_step: {text}")
            }
            NoTrail::NextOperator(name) => {
                write!(f, "Spin does not read this model: `ltl {name}` uses the operator X")
            }
            NoTrail::LostMessages => write!(f, "messages may be lost, which a trail cannot say"),
        }
    }
}

impl std::error::Error for NoTrail {}

/// The trail of a run.
pub fn trail(model: &Model, execution: &Execution) -> Result<String, NoTrail> {
    if model.discipline != Discipline::Spin {
        return Err(NoTrail::NotPromela);
    }
    if model.uses.message_loss {
        return Err(NoTrail::LostMessages);
    }
    if let Some(block) = model.ltl.iter().find(|block| uses_next(&block.text)) {
        return Err(NoTrail::NextOperator(block.name.clone()));
    }
    if model.trail_numbers.is_empty() {
        return Err(NoTrail::ExposedLabel);
    }
    let start = match execution.ending {
        Ending::Loop { start } => Some(start),
        Ending::Error | Ending::Rest | Ending::Decided { .. } | Ending::Open => None,
    };
    let mut out = String::new();
    let mut depth = 0;
    for (at, step) in execution.steps.iter().enumerate() {
        if start == Some(at) {
            out += "-1:-1:-1\n";
        }
        let moves = match step.state {
            Some(_) => &step.moves[..],
            None => sound(model, &step.moves),
        };
        for taken in moves {
            if let Action::DStep(id) = model.command(taken.command).action
                && has_choice(&model.d_steps[id.0 as usize])
            {
                return Err(NoTrail::ChoiceInDStep(model.command(taken.command).text.clone()));
            }
            depth += 1;
            let number = model.trail_numbers[taken.command.0 as usize];
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{depth}:{}:{number}", taken.pid);
        }
    }
    Ok(out)
}

/// Whether a word of the formula is the operator X.
fn uses_next(formula: &str) -> bool {
    let mut words = formula.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "X" || word == "next")
}

/// The moves of a faulty step that Spin's simulation survives: it goes on behind a violated
/// assertion, but not behind other faults.
fn sound<'m>(model: &Model, moves: &'m [Move]) -> &'m [Move] {
    match moves.split_last() {
        Some((last, before)) => match model.command(last.command).action {
            Action::Assert(_) => moves,
            _ => before,
        },
        None => moves,
    }
}

/// Whether a choice of a `d_step` may have two executable options. Spin's verifier takes the
/// first, its simulation any. A guard beside `else` is no such choice.
fn has_choice(program: &DStep) -> bool {
    program.nodes.iter().any(|node| {
        let DStepNode::Select { options, .. } = node else { return false };
        let is_else = |id: &&lariat_model::ir::NodeId| {
            matches!(&program.nodes[id.0 as usize], DStepNode::Do { action: Action::Else, .. })
        };
        options.iter().filter(|option| !is_else(option)).count() > 1
    })
}
