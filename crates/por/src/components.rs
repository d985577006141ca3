//! Strongly connected components of a control graph (Tarjan 1972), without recursion.

/// By node: the number of its component. Components behind another one have smaller numbers.
#[derive(Debug)]
pub(crate) struct Components {
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

const NONE: u32 = u32::MAX;

impl Components {
    /// Of the graph with these successors.
    pub(crate) fn of(nodes: usize, successors: impl Fn(usize) -> Vec<usize>) -> Components {
        let mut found = Components { of: vec![NONE; nodes], count: 0 };
        // By node: when it was met, and the first that it leads back to.
        let (mut met, mut low) = (vec![NONE; nodes], vec![NONE; nodes]);
        let (mut time, mut open, mut frames) = (0, Vec::new(), Vec::new());
        for root in 0..nodes {
            if met[root] != NONE {
                continue;
            }
            let mut next = Some(root);
            loop {
                if let Some(node) = next.take() {
                    (met[node], low[node]) = (time, time);
                    time += 1;
                    open.push(node);
                    frames.push((node, successors(node)));
                }
                let Some((node, todo)) = frames.last_mut() else { break };
                let node = *node;
                match todo.pop() {
                    Some(to) if met[to] == NONE => next = Some(to),
                    Some(to) if found.of[to] == NONE => low[node] = low[node].min(met[to]),
                    Some(_) => {}
                    None => {
                        frames.pop();
                        if let Some(&(before, _)) = frames.last() {
                            low[before] = low[before].min(low[node]);
                        }
                        if low[node] == met[node] {
                            while let Some(member) = open.pop() {
                                found.of[member] = found.count as u32;
                                if member == node {
                                    break;
                                }
                            }
                            found.count += 1;
                        }
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_one_component_and_come_after_what_is_behind() {
        // 0 ⇄ 1 → 2 → 3 ⇄ 4, 5 alone.
        let next = [vec![1], vec![0, 2], vec![3], vec![4], vec![3], vec![]];
        let Components { of, count } = Components::of(6, |node| next[node].clone());
        assert_eq!(count, 4);
        assert_eq!((of[0], of[3]), (of[1], of[4]));
        assert!(of[0] > of[2] && of[2] > of[3]);
        assert!(!of[..5].contains(&of[5]));
    }
}
