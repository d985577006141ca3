//! A run of the model with shortcuts as a run of the model as it was given.
//!
//! Both have the same commands. The commands of the run are executed on the given model, in
//! order; its states are the ones between. Where the run is a loop of the smaller model, the
//! variables that it left out may need another round or two until the given model is back in a
//! state that it was in.

use std::collections::HashMap;
use std::fmt;

use lariat_core::makes_mistake;

use crate::interp::{Expansion, Interp, Move};
use crate::ir::Model;

/// A run of the given model.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// The commands of each step.
    pub steps: Vec<Vec<Move>>,
    /// The loop starts in the state before this step; none for a finite run.
    pub loop_start: Option<usize>,
    /// The last step of a finite run is at fault.
    pub is_faulty: bool,
}

/// Why there is no run of the given model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// It cannot execute the commands, which would be an error of a shortcut. So many steps are
    /// possible.
    After(usize),
    /// It can, but after so many rounds it was in no state for the second time: a variable that
    /// was left out goes on counting.
    Rounds(usize),
    /// It stays inside an atomic sequence for ever. The given model may need other commands for
    /// that, so it has to look for itself.
    Inside,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::After(steps) => write!(f, "the given model takes only {steps} steps of it"),
            Lost::Rounds(rounds) => {
                write!(f, "the given model is nowhere twice in {rounds} rounds")
            }
            Lost::Inside => write!(f, "the given model must stay inside an atomic sequence"),
        }
    }
}

/// Rounds of a loop until it is given up: more than all values of a few bytes.
const MAX_ROUNDS: usize = 4096;

/// Executes `prefix`, then `cycle` again and again until a state at its start comes again.
pub fn retrace(model: &Model, prefix: &[Move], cycle: Option<&[Move]>) -> Result<Retraced, Lost> {
    let mut walk = Walk::start(model)?;
    let is_faulty = walk.follow(prefix, cycle.is_none())?;
    let Some(cycle) = cycle else {
        return Ok(Retraced { steps: walk.steps, loop_start: None, is_faulty });
    };
    let mut seen = HashMap::new();
    for _ in 0..MAX_ROUNDS {
        if let Some(&start) = seen.get(&walk.now) {
            let mut steps = walk.steps;
            let earlier = common_end(model, &steps, start)?;
            steps.truncate(steps.len() - earlier);
            return Ok(Retraced { steps, loop_start: Some(start - earlier), is_faulty });
        }
        seen.insert(walk.now.clone(), walk.steps.len());
        walk.follow(cycle, false)?;
    }
    Err(Lost::Rounds(MAX_ROUNDS))
}

/// How many of the last steps before the loop are the last ones of the loop, too, from the same states:
/// the loop begins before them.
fn common_end(model: &Model, steps: &[Vec<Move>], start: usize) -> Result<usize, Lost> {
    let (before, inside) = steps.split_at(start);
    let backwards = before.iter().rev().zip(inside.iter().rev());
    let most = backwards.take_while(|(one, other)| one == other).count();
    if most == 0 {
        return Ok(0);
    }
    let mut walk = Walk::start(model)?;
    let mut states = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if at + most >= start {
            states.push(walk.now.clone());
        }
        walk.follow(step, false)?;
    }
    // The first is that before the first of these steps.
    let (before, inside) = (&states[..most], &states[states.len() - most..]);
    let same = before.iter().rev().zip(inside.iter().rev());
    Ok(same.take_while(|(one, other)| one == other).count())
}

struct Walk<'m> {
    interp: Interp<'m>,
    expansion: Expansion,
    steps: Vec<Vec<Move>>,
    now: (Vec<u8>, Vec<u8>),
}

impl<'m> Walk<'m> {
    fn start(model: &'m Model) -> Result<Self, Lost> {
        let mut interp = Interp::new(model);
        let now = interp.initial().map_err(|_| Lost::After(0))?;
        Ok(Walk { interp, expansion: Expansion::new(), steps: Vec::new(), now })
    }

    /// Takes steps whose commands are `moves`. If `may_fail`, the last one may be at fault;
    /// whether it is.
    fn follow(&mut self, mut moves: &[Move], may_fail: bool) -> Result<bool, Lost> {
        while !moves.is_empty() {
            let Walk { interp, expansion, steps, now } = self;
            expansion.clear();
            interp.successors(&now.0, &now.1, expansion);
            let mut faults = expansion.faults().iter();
            if may_fail && faults.any(|fault| expansion.fault_moves(fault) == moves) {
                steps.push(moves.to_vec());
                return Ok(true);
            }
            // The longest: a shorter one that is the start of it would have stopped where the
            // process was blocked.
            let next = (0..expansion.len())
                .filter(|&at| moves.starts_with(expansion.moves(at)))
                .max_by_key(|&at| expansion.moves(at).len())
                .ok_or(Lost::After(steps.len()))?;
            let taken = expansion.moves(next).len();
            steps.push(moves[..taken].to_vec());
            *now = (expansion.state(next).to_vec(), expansion.hidden(next).to_vec());
            moves = &moves[taken..];
        }
        if makes_mistake("retrace-wrong") {
            self.steps.pop();
        }
        Ok(false)
    }
}
