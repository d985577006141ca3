//! Strongly connected components: R. Tarjan, "Depth-first search and linear graph
//! algorithms", SIAM J. Comput. 1 (1972), with an explicit stack.

use crate::StateId;

/// The component of a state that cannot be reached.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// The components of the part that can be reached. They are numbered so that an edge never
/// leads to a component with a higher number.
pub(crate) struct Components {
    /// The component of each state, or [`UNREACHED`].
    pub(crate) of: Vec<u32>,
    /// The states of each component, in order of discovery.
    pub(crate) members: Vec<Vec<StateId>>,
}

/// What there is at a place in the list of a state's edges.
pub(crate) enum At {
    Edge(StateId),
    /// An edge that does not count.
    Skip,
    End,
}

/// The components of the graph of `count` states whose edges `edge` lists.
pub(crate) fn components(
    count: usize,
    roots: impl IntoIterator<Item = StateId>,
    edge: impl Fn(StateId, usize) -> At,
) -> Components {
    let mut found = Components { of: vec![UNREACHED; count], members: Vec::new() };
    // The number in order of discovery, and the smallest one known to be reachable.
    let mut number = vec![UNREACHED; count];
    let mut low = vec![0u32; count];
    let mut discovered = 0;
    let mut open: Vec<StateId> = Vec::new();
    // Each state on the stack with the next edge to look at.
    let mut stack: Vec<(StateId, usize)> = Vec::new();
    for root in roots {
        let mut entering = (number[root as usize] == UNREACHED).then_some(root);
        loop {
            if let Some(state) = entering.take() {
                number[state as usize] = discovered;
                low[state as usize] = discovered;
                discovered += 1;
                open.push(state);
                stack.push((state, 0));
            }
            let Some((state, at)) = stack.last_mut() else { break };
            let s = *state as usize;
            *at += 1;
            match edge(*state, *at - 1) {
                At::Skip => {}
                At::Edge(target) => {
                    let t = target as usize;
                    if number[t] == UNREACHED {
                        entering = Some(target);
                    } else if found.of[t] == UNREACHED {
                        low[s] = low[s].min(number[t]);
                    }
                }
                At::End => {
                    stack.pop();
                    if let Some(&(parent, _)) = stack.last() {
                        low[parent as usize] = low[parent as usize].min(low[s]);
                    }
                    if low[s] == number[s] {
                        let from = open.iter().rposition(|&t| t as usize == s).unwrap_or(0);
                        let members = open.split_off(from);
                        for &member in &members {
                            found.of[member as usize] = found.members.len() as u32;
                        }
                        found.members.push(members);
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successors_come_first() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 0, 5 is not reached; the edge 3 -> 2 does not count.
        let edges: [&[StateId]; 6] = [&[1], &[2], &[1, 3], &[2], &[0], &[0]];
        let edge = |state: StateId, at: usize| match edges[state as usize].get(at) {
            Some(_) if state == 3 => At::Skip,
            Some(&target) => At::Edge(target),
            None => At::End,
        };
        let found = components(6, [0, 4], edge);
        assert_eq!(found.members, [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(found.of, [2, 1, 1, 0, 3, UNREACHED]);
    }
}
