//! A run of the model with shortcuts as a run of the model as it was given.
//!
//! Both have the same commands. The commands of the run are executed on the given model, in
//! order; its states are the ones between. Where the run is a loop of the smaller model, the
//! variables that it left out may need another round or two until the given model is back in a
//! state that it was in.

use std::collections::HashMap;

use crate::interp::{Expansion, Interp, Move};
use crate::ir::Model;

/// A run of the given model.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// The initial state and the variables outside of it.
    pub initial: (Vec<u8>, Vec<u8>),
    pub steps: Vec<RetracedStep>,
    /// The loop starts in the state before this step; none for a finite run.
    pub loop_start: Option<usize>,
    /// Commands at the end of a finite run behind which there is no state.
    pub rest: Vec<Move>,
}

#[derive(Clone, Debug)]
pub struct RetracedStep {
    pub moves: Vec<Move>,
    pub state: (Vec<u8>, Vec<u8>),
}

/// Rounds of a loop until it is given up: more than all values of a few bytes.
const MAX_ROUNDS: usize = 4096;

/// Executes `prefix`, then `cycle` again and again until a state at its start comes again.
/// None if the given model cannot do it, which would be an error of a shortcut.
pub fn retrace(model: &Model, prefix: &[Move], cycle: Option<&[Move]>) -> Option<Retraced> {
    let mut interp = Interp::new(model);
    let initial = interp.initial().ok()?;
    let mut walk = Walk { interp, expansion: Expansion::new(), steps: Vec::new(), initial };
    let rest = walk.follow(prefix, cycle.is_none())?.to_vec();
    let Some(cycle) = cycle else {
        return Some(Retraced { initial: walk.initial, steps: walk.steps, loop_start: None, rest });
    };
    let mut seen = HashMap::new();
    for _ in 0..MAX_ROUNDS {
        if let Some(&start) = seen.get(walk.state()) {
            let loop_start = Some(start);
            return Some(Retraced { initial: walk.initial, steps: walk.steps, loop_start, rest });
        }
        seen.insert(walk.state().clone(), walk.steps.len());
        walk.follow(cycle, false)?;
    }
    None
}

struct Walk<'m> {
    interp: Interp<'m>,
    expansion: Expansion,
    steps: Vec<RetracedStep>,
    initial: (Vec<u8>, Vec<u8>),
}

impl Walk<'_> {
    fn state(&self) -> &(Vec<u8>, Vec<u8>) {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// Takes steps whose commands are `moves`. If `faulty`, what is left may be a step that
    /// ends in a fault; it is given back.
    fn follow<'a>(&mut self, mut moves: &'a [Move], faulty: bool) -> Option<&'a [Move]> {
        while !moves.is_empty() {
            let mut expansion = std::mem::take(&mut self.expansion);
            expansion.clear();
            let (state, hidden) = self.steps.last().map_or(&self.initial, |step| &step.state);
            self.interp.successors(state, hidden, &mut expansion);
            // The longest: a shorter one that is the start of it would have stopped where the
            // process was blocked.
            let next = (0..expansion.len())
                .filter(|&at| moves.starts_with(expansion.moves(at)))
                .max_by_key(|&at| expansion.moves(at).len());
            let step = next.map(|at| RetracedStep {
                moves: expansion.moves(at).to_vec(),
                state: (expansion.state(at).to_vec(), expansion.hidden(at).to_vec()),
            });
            let ends_here = faulty
                && expansion.faults().iter().any(|fault| expansion.fault_moves(fault) == moves);
            self.expansion = expansion;
            match step {
                Some(step) if !ends_here => {
                    moves = &moves[step.moves.len()..];
                    self.steps.push(step);
                }
                _ if ends_here => return Some(moves),
                _ => return None,
            }
        }
        Some(moves)
    }
}
