//! The reduced graph of a model, explored on the interpreter without any proviso.

use std::collections::{HashMap, VecDeque};

use lariat_core::Word;
use lariat_model::interp::{Expansion, Interp, row};
use lariat_model::ir::Model;
use lariat_model::ir::layout::Divergence;
use lariat_por::{Choice, Kind, Reduction};

/// A state, what was chosen there, the kinds of its processes.
pub(crate) struct Visited {
    pub(crate) choice: Choice,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) steps: Vec<u32>,
}

pub(crate) struct Explored {
    pub(crate) states: HashMap<Vec<u8>, Visited>,
    /// Something went wrong on the way.
    pub(crate) faults: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    BreadthFirst,
    DepthFirst,
}

/// Explores at most so many states; all steps are followed with `all`, else those that are kept.
pub(crate) fn explore<'m>(
    model: &'m Model,
    reduction: &mut Reduction<'m>,
    order: Order,
    all: bool,
    most: usize,
) -> Explored {
    let mut interp = Interp::new(model).without_divergences();
    let (initial, hidden) = interp.initial().expect("an initial state");
    let mut explored = Explored { states: HashMap::new(), faults: 0 };
    let mut queue = VecDeque::from([initial]);
    let mut found = Expansion::new();
    while let Some(state) = match order {
        Order::BreadthFirst => queue.pop_front(),
        Order::DepthFirst => queue.pop_back(),
    } {
        if explored.states.len() >= most || explored.states.contains_key(&state) {
            continue;
        }
        found.clear();
        interp.successors(&state, &hidden, &mut found);
        let mut steps = vec![0; 256];
        (0..found.len()).for_each(|at| steps[found.moves(at)[0].pid as usize] += 1);
        let mut kinds = Vec::new();
        reduction.kinds(&row_of(&state, &hidden), &steps, &mut kinds);
        let choice = reduction.choose(&kinds);
        let keeps = |pid: usize| match choice {
            Choice::Only(set) if !all => set.contains(pid),
            _ => true,
        };
        let is_kept = |moves: &[lariat_model::interp::Move]| {
            moves.first().is_none_or(|first| keeps(first.pid as usize))
        };
        let faults = found.faults().iter();
        explored.faults += faults.filter(|fault| is_kept(found.fault_moves(fault))).count();
        for at in (0..found.len()).filter(|&at| is_kept(found.moves(at))) {
            if Divergence::of(found.state(at)).is_none() {
                queue.push_back(found.state(at).to_vec());
            }
        }
        explored.states.insert(state, Visited { choice, kinds, steps });
    }
    explored
}

pub(crate) fn row_of(state: &[u8], hidden: &[u8]) -> Vec<Word> {
    let mut words = vec![0; row::words_for(state, hidden)];
    row::pack(state, hidden, &mut words);
    words
}
