//! Models that several tests use.

pub(crate) mod commit;
pub(crate) mod election;
pub(crate) mod peterson;
pub(crate) mod small;

use lariat::{Model, Steps};

/// A graph by its edges. An action is the number of an edge.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) initial: Vec<u32>,
    pub(crate) edges: Vec<(u32, u32)>,
}

impl Graph {
    pub(crate) fn new(initial: u32, edges: &[(u32, u32)]) -> Graph {
        Graph { initial: vec![initial], edges: edges.to_vec() }
    }
}

impl Model for Graph {
    type State = u32;
    type Action = usize;
    fn initial(&self) -> Vec<u32> {
        self.initial.clone()
    }
    fn steps(&self, state: &u32, to: &mut Steps<'_, Self>) {
        for (number, &(src, dst)) in self.edges.iter().enumerate() {
            if src == *state {
                to.step(number, |state| *state = dst);
            }
        }
    }
}
