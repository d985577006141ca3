//! The shortest accepting cycle of a component, with the way to it counted in.

use super::component::Component;
use lariat_core::Marks;

/// As many (state, marks seen) pairs at most; beyond that cycles are greedy.
const MOST_PAIRS: u64 = 1 << 30;

/// The places of a cycle, entered at its first, for which its distance plus its length is
/// smallest and at most `longest`; the one with the smallest distance among several. Exact
/// unless `steps` run out or there are too many marks.
pub(super) fn shortest(
    component: &Component,
    distances: &[u32],
    all: Marks,
    longest: usize,
    steps: u64,
) -> Option<Vec<u32>> {
    let mut nearest: Vec<u32> = (0..distances.len() as u32).collect();
    nearest.retain(|&place| distances[place as usize] != u32::MAX);
    nearest.sort_by_key(|&place| distances[place as usize]);
    let pairs = (distances.len() as u64).checked_shl(all.count()).filter(|_| all.count() < 32);
    let exact = pairs.is_some_and(|pairs| pairs <= MOST_PAIRS);
    let bits = if exact { distances.len() << all.count() } else { distances.len() };
    let seen = vec![0; bits.div_ceil(64)];
    let mut search = CycleSearch { component, all, exact, steps, order: Vec::new(), seen };
    let mut best: Option<(usize, Vec<u32>)> = None;
    for place in nearest {
        let distance = distances[place as usize] as usize;
        // At most one less than the best so far, or as long as the first one was.
        let most = best.as_ref().map_or(longest, |(total, _)| total - 1);
        if distance + 1 > most {
            break;
        }
        let cycle = match exact {
            true => search.exact(place, most - distance),
            false => search.greedy(place, most - distance),
        };
        if let Some(cycle) = cycle {
            best = Some((distance + cycle.len(), cycle));
        }
        if search.steps == 0 {
            break;
        }
    }
    best.map(|(_, cycle)| cycle)
}

struct Node {
    place: u32,
    parent: u32,
    depth: u32,
    marks: Marks,
}

struct CycleSearch<'a> {
    component: &'a Component,
    all: Marks,
    /// Whether a node is a state with the marks seen, or just a state.
    exact: bool,
    /// Edges that may still be walked along.
    steps: u64,
    order: Vec<Node>,
    /// A bit for each node that was met; all 0 between searches.
    seen: Vec<u64>,
}

impl CycleSearch<'_> {
    /// The shortest cycle through `start` with all marks, of at most `most` states.
    fn exact(&mut self, start: u32, most: usize) -> Option<Vec<u32>> {
        let all = self.all;
        let end =
            self.bfs(start, Marks::NONE, most, |dst, marks| dst == start && marks.contains(all));
        let cycle = end.map(|(last, ..)| self.way_to(last));
        self.forget();
        cycle
    }

    /// From `start` to the nearest missing mark, again and again, and back.
    fn greedy(&mut self, start: u32, most: usize) -> Option<Vec<u32>> {
        let (mut cycle, mut at, mut seen) = (Vec::new(), start, Marks::NONE);
        while at != start || !seen.contains(self.all) || cycle.is_empty() {
            let all = self.all;
            let left = most.checked_sub(cycle.len())?;
            let end = self.bfs(at, seen, left, |dst, marks| {
                if seen.contains(all) { dst == start } else { !seen.contains(marks) }
            });
            let way = end.map(|(last, ..)| self.way_to(last));
            self.forget();
            let (_, dst, marks) = end?;
            cycle.extend(way?);
            (at, seen) = (dst, seen | marks);
        }
        Some(cycle)
    }

    /// Breadth-first from `start` to an edge that is `wanted`, by its end and the marks seen
    /// up to it; the place in `order` of its source, its end and the marks.
    fn bfs(
        &mut self,
        start: u32,
        seen: Marks,
        most: usize,
        wanted: impl Fn(u32, Marks) -> bool,
    ) -> Option<(usize, u32, Marks)> {
        self.meet(Node { place: start, parent: 0, depth: 1, marks: seen });
        let mut next = 0;
        while next < self.order.len() {
            let Node { place, depth, marks, .. } = self.order[next];
            if depth as usize > most {
                return None;
            }
            for &(dst, more) in self.component.edges.of(place) {
                self.steps = self.steps.checked_sub(1)?;
                let marks = Marks((marks | more).0 & self.all.0);
                if wanted(dst, marks) {
                    return Some((next, dst, marks));
                }
                self.meet(Node { place: dst, parent: next as u32, depth: depth + 1, marks });
            }
            next += 1;
        }
        None
    }

    fn bit(&self, place: u32, marks: Marks) -> usize {
        match self.exact {
            true => (place as usize) << self.all.count() | marks.0 as usize,
            false => place as usize,
        }
    }

    fn meet(&mut self, node: Node) {
        let bit = self.bit(node.place, node.marks);
        if self.seen[bit / 64] >> (bit % 64) & 1 == 0 {
            self.seen[bit / 64] |= 1 << (bit % 64);
            self.order.push(node);
        }
    }

    /// The places from the start of the search to that of a node.
    fn way_to(&self, mut node: usize) -> Vec<u32> {
        let mut way = vec![self.order[node].place];
        while node != 0 {
            node = self.order[node].parent as usize;
            way.push(self.order[node].place);
        }
        way.reverse();
        way
    }

    /// Takes back the bits that the last search set, and no others: most searches are small.
    fn forget(&mut self) {
        for i in 0..self.order.len() {
            let bit = self.bit(self.order[i].place, self.order[i].marks);
            self.seen[bit / 64] = 0;
        }
        self.order.clear();
    }
}
