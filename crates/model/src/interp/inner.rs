//! The states inside the atomic sequences that begin in one state of the model, each met once.
//!
//! A loop inside an atomic sequence has no end as a tree of ways, but mostly few states. Where
//! the ways are too many the walk goes over these states instead, breadth first, and keeps the
//! steps between them here. A way from a state back to itself is a *divergence*: a run that
//! stays inside for ever.

use hashbrown::HashMap;

use super::expansion::Move;
use crate::ir::CommandId;
use crate::ir::layout::Divergence;

/// So many states inside, and so many bytes of them and of the steps between them, are the most
/// that one expansion may have.
const MAX_NODES: usize = 4_000_000;
const MAX_BYTES: usize = 1 << 29;

/// By its number; what the first steps of a sequence come from is none.
pub(super) type Node = Option<u32>;

#[derive(Default)]
pub(super) struct Inner {
    numbers: HashMap<Box<[u8]>, u32>,
    nodes: Vec<NodeData>,
    steps: Vec<InnerStep>,
    moves: Vec<Move>,
    bytes: usize,
}

struct NodeData {
    state: Box<[u8]>,
    hidden: Box<[u8]>,
    exclusive: u8,
    /// The step by which it was met first; the state that was expanded has none.
    by: u32,
    is_progress: bool,
    is_accept: bool,
}

struct InnerStep {
    from: Node,
    to: u32,
    moves: (u32, u32),
}

/// What tells states inside apart. Who moved first, and who else has taken part, are not seen in
/// a state but in the marks of fairness on the step that leads out.
pub(super) struct Seen<'a> {
    pub(super) state: &'a [u8],
    pub(super) hidden: &'a [u8],
    pub(super) exclusive: u8,
    pub(super) path: &'a [Move],
    pub(super) is_progress: bool,
    pub(super) is_accept: bool,
}

impl Inner {
    pub(super) fn clear(&mut self) {
        *self = Inner::default();
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.nodes.len() > MAX_NODES || self.bytes > MAX_BYTES
    }

    /// A step from one state inside to another, by the last commands of its path.
    pub(super) fn add(&mut self, from: Node, known: usize, seen: &Seen<'_>) {
        let mut key = Vec::with_capacity(seen.state.len() + seen.hidden.len() + 40);
        key.extend_from_slice(seen.hidden);
        key.extend_from_slice(seen.state);
        key.push(seen.exclusive);
        let first = seen.path.first().map_or(0, |step| step.pid);
        key.extend([first, seen.path.get(1).map_or(first, |step| step.pid)]);
        let mut part = [0; 32];
        for step in seen.path {
            part[step.pid as usize / 8] |= 1 << (step.pid % 8);
        }
        key.extend(part);
        let (by, next) = (self.steps.len() as u32, self.nodes.len() as u32);
        let to = *self.numbers.entry(key.into()).or_insert_with_key(|key| {
            self.bytes += 2 * key.len() + size_of::<NodeData>();
            self.nodes.push(NodeData {
                state: seen.state.into(),
                hidden: seen.hidden.into(),
                exclusive: seen.exclusive,
                by,
                is_progress: seen.is_progress,
                is_accept: seen.is_accept,
            });
            next
        });
        let start = self.moves.len() as u32;
        self.moves.extend_from_slice(&seen.path[known..]);
        self.bytes += size_of::<InnerStep>() + (seen.path.len() - known) * size_of::<Move>();
        self.steps.push(InnerStep { from, to, moves: (start, self.moves.len() as u32) });
    }

    /// All commands between states inside, and into the first of them.
    pub(super) fn commands(&self, commands: &mut Vec<CommandId>) {
        commands.extend(self.moves.iter().map(|step| step.command));
        commands.sort_unstable_by_key(|command| command.0);
        commands.dedup();
    }

    /// The state, the variables outside of it, and who alone may move.
    pub(super) fn node(&self, node: u32) -> (&[u8], &[u8], u8) {
        let data = &self.nodes[node as usize];
        (&data.state, &data.hidden, data.exclusive)
    }

    fn step_moves(&self, step: u32) -> &[Move] {
        let (start, end) = self.steps[step as usize].moves;
        &self.moves[start as usize..end as usize]
    }

    /// The commands of the first way to a state inside.
    pub(super) fn path_to(&self, node: u32, path: &mut Vec<Move>) {
        let mut steps = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let by = self.nodes[node as usize].by;
            steps.push(by);
            at = self.steps[by as usize].from;
        }
        path.clear();
        path.extend(steps.iter().rev().flat_map(|&step| self.step_moves(step)));
    }

    /// The ways to stay inside for ever: at most one without and one with a progress label on
    /// it, over an `accept` label if there is such a one.
    pub(super) fn divergences(&self) -> Vec<(Divergence, Cycle)> {
        let outgoing = self.outgoing();
        let mut found = Vec::new();
        for progress in [false, true] {
            // Without progress: no state with a progress label takes part.
            let takes_part = |node: u32| progress || !self.nodes[node as usize].is_progress;
            let component = self.components(&outgoing, takes_part);
            let in_cycle = |step: &InnerStep| {
                step.from.is_some_and(|from| {
                    takes_part(from)
                        && takes_part(step.to)
                        && component[from as usize] == component[step.to as usize]
                })
            };
            let mut cyclic: Vec<u32> =
                self.steps.iter().filter(|step| in_cycle(step)).map(|step| step.to).collect();
            cyclic.sort_unstable();
            cyclic.dedup();
            // A way through all of these states of a component is long, and one is enough: over
            // the progress label, or over the accept label if there is no other wish.
            let with = |wanted: &dyn Fn(&NodeData) -> bool| -> Vec<u32> {
                let is_it = |&&node: &&u32| wanted(&self.nodes[node as usize]);
                cyclic.iter().filter(is_it).copied().collect()
            };
            let starts = if progress { with(&|node| node.is_progress) } else { cyclic.clone() };
            let accepting = with(&|node| node.is_accept);
            let accept_in = |start: u32| {
                let here = component[start as usize];
                accepting.iter().copied().find(|&node| component[node as usize] == here)
            };
            let accepted = starts.iter().find_map(|&start| Some((start, Some(accept_in(start)?))));
            let Some((start, over)) = accepted.or(starts.first().map(|&start| (start, None)))
            else {
                continue;
            };
            let mut cycle = Vec::new();
            let ways = Ways { inner: self, outgoing: &outgoing, component: &component };
            match over.filter(|&over| over != start) {
                Some(over) => {
                    ways.append(start, over, &mut cycle);
                    ways.append(over, start, &mut cycle);
                }
                None => ways.append(start, start, &mut cycle),
            }
            let mut stem = Vec::new();
            self.path_to(start, &mut stem);
            let kind = Divergence { progress, accept: over.is_some() };
            found.push((kind, Cycle { stem, cycle }));
        }
        found
    }

    /// By state inside: the steps from it.
    fn outgoing(&self) -> Vec<Vec<u32>> {
        let mut outgoing = vec![Vec::new(); self.nodes.len()];
        for (number, step) in self.steps.iter().enumerate() {
            if let Some(from) = step.from {
                outgoing[from as usize].push(number as u32);
            }
        }
        outgoing
    }

    /// Tarjan's strongly connected components, without recursion: by state, a number of its own
    /// for each component.
    fn components(&self, outgoing: &[Vec<u32>], takes_part: impl Fn(u32) -> bool) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let count = self.nodes.len();
        let (mut index, mut low) = (vec![NEW; count], vec![NEW; count]);
        let (mut component, mut open, mut calls) = (vec![NEW; count], Vec::new(), Vec::new());
        let mut next = 0;
        for root in (0..count as u32).filter(|&node| takes_part(node)) {
            if index[root as usize] != NEW {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, tried)) = calls.pop() {
                let at = node as usize;
                if tried == 0 {
                    (index[at], low[at]) = (next, next);
                    next += 1;
                    open.push(node);
                } else {
                    // Back from the state behind the step before.
                    let to = self.steps[outgoing[at][tried - 1] as usize].to as usize;
                    if component[to] == NEW && index[to] != NEW {
                        low[at] = low[at].min(low[to]);
                    }
                }
                let rest = outgoing[at][tried..].iter().enumerate();
                let unseen = rest.map(|(more, &step)| (tried + more, self.steps[step as usize].to));
                let mut pushed = false;
                for (number, to) in unseen.filter(|&(_, to)| takes_part(to)) {
                    if index[to as usize] == NEW {
                        calls.push((node, number + 1));
                        calls.push((to, 0));
                        pushed = true;
                        break;
                    }
                    if component[to as usize] == NEW {
                        low[at] = low[at].min(index[to as usize]);
                    }
                }
                if !pushed && low[at] == index[at] {
                    while let Some(member) = open.pop() {
                        component[member as usize] = node;
                        if member == node {
                            break;
                        }
                    }
                }
            }
        }
        component
    }
}

/// A way to stay inside: the commands up to it, and those that are repeated.
pub(super) struct Cycle {
    pub(super) stem: Vec<Move>,
    pub(super) cycle: Vec<Move>,
}

struct Ways<'a> {
    inner: &'a Inner,
    outgoing: &'a [Vec<u32>],
    component: &'a [u32],
}

impl Ways<'_> {
    /// Appends the commands of a shortest way, of one step at least, within a component.
    fn append(&self, from: u32, to: u32, moves: &mut Vec<Move>) {
        let here = self.component[from as usize];
        let mut by: HashMap<u32, u32> = HashMap::new();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &step in &self.outgoing[node as usize] {
                let next = self.inner.steps[step as usize].to;
                if self.component[next as usize] == here && !by.contains_key(&next) {
                    by.insert(next, step);
                    queue.push_back(next);
                }
            }
            if by.contains_key(&to) {
                break;
            }
        }
        let (mut steps, mut at) = (Vec::new(), to);
        while let Some(&step) = by.get(&at) {
            steps.push(step);
            at = self.inner.steps[step as usize].from.unwrap_or(from);
            if at == from {
                break;
            }
        }
        moves.extend(steps.iter().rev().flat_map(|&step| self.inner.step_moves(step)));
    }
}
