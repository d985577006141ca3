//! Tarjan's algorithm (RDKP Algorithm 2) with what its authors left to be tried.
//!
//! - *Sparse*: `dstack` holds an entry only for states that know more than themselves. A state that was
//!   entered and has seen no edge that closes a cycle has the lowlink that is its position, which the search stack
//!   knows, and no marks. So runs of such states, trivial components so far, take no room (RDKP §8).
//! - *Compacted*: Nuutila and Soisalon-Soininen (1994) put a state on `live` only when the search leaves it
//!   and its component is open; states on the search stack are known from there. Only the words are
//!   counted here: |live_stack| without the states on the search stack (RDKP §8).
//! - *Early*: a set of marks for each live element (RDKP §3.2). When a state is left inside its component,
//!   what it knows stays with it; an edge to it later adds that. Such a state reaches the search stack, so the edge closes
//!   a cycle, and both ends are in one component: the marks may be counted.

use lariat_core::{LiveStore, Marks, Stats, Status};
use lariat_search::emptiness::scc::Component;
use lariat_search::emptiness::scc::frame::{Algorithm, Path, PathStep, Popped};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idea {
    Sparse,
    Compacted,
    Early,
}

struct Entry {
    depth: u32,
    lowlink: u32,
    acc: Marks,
}

pub struct Tried {
    idea: Idea,
    /// Of states that know more than themselves.
    dstack: Vec<Entry>,
    /// By position in `live`, for [`Idea::Early`].
    sets: Vec<Marks>,
    depth: u32,
    peak_depth: u32,
    peak_dstack: usize,
}

impl Tried {
    pub fn new(idea: Idea) -> Tried {
        Tried {
            idea,
            dstack: Vec::new(),
            sets: Vec::new(),
            depth: 0,
            peak_depth: 0,
            peak_dstack: 0,
        }
    }

    /// The entry of the state at this depth, which is on top.
    fn entry(&mut self, depth: u32, position: u32) -> &mut Entry {
        if self.dstack.last().is_none_or(|top| top.depth != depth) {
            self.dstack.push(Entry { depth, lowlink: position, acc: Marks::NONE });
            self.peak_dstack = self.peak_dstack.max(self.dstack.len());
        }
        self.dstack.last_mut().expect("it is there now")
    }
}

impl<S: LiveStore> Algorithm<S, Marks> for Tried {
    type Position = u32;

    fn get_status(&self, store: &mut S, q: S::Id) -> Status {
        store.status(q)
    }

    fn push(&mut self, store: &mut S, q: S::Id, depth: u32) -> (S::Id, u32) {
        let position = store.live_len();
        let q = store.push_live(q);
        self.depth = depth + 1;
        self.peak_depth = self.peak_depth.max(self.depth);
        if self.idea == Idea::Early {
            self.sets.push(Marks::NONE);
        }
        (q, position)
    }

    fn update(&mut self, _: &mut S, dfs: &impl Path<Marks, u32>, acc: Marks, d: u32) -> Marks {
        let depth = dfs.size() - 1;
        let known = self.sets.get(d as usize).copied().unwrap_or(Marks::NONE);
        let top = self.entry(depth, dfs.at(depth).pos);
        top.lowlink = top.lowlink.min(d);
        top.acc |= acc | known;
        top.acc
    }

    fn pop(
        &mut self,
        store: &mut S,
        dfs: &impl Path<Marks, u32>,
        s: PathStep<Marks, u32>,
    ) -> Popped<Marks> {
        let depth = dfs.size();
        self.depth = depth;
        let is_own = self.dstack.last().is_some_and(|top| top.depth == depth);
        let own = if is_own { self.dstack.pop() } else { None };
        let (lowlink, acc) =
            own.as_ref().map_or((s.pos, Marks::NONE), |own| (own.lowlink, own.acc));
        if lowlink == s.pos {
            let size = store.live_len() - s.pos;
            return Popped::Root(Component { size, acc, trivial: size == 1 && own.is_none() });
        }
        if self.idea == Idea::Early {
            self.sets[s.pos as usize] = acc;
        }
        let top = self.entry(depth - 1, dfs.at(depth - 1).pos);
        top.lowlink = top.lowlink.min(lowlink);
        top.acc |= s.acc | acc;
        Popped::Gathered(top.acc)
    }

    fn kill(&mut self, store: &mut S, root: u32) {
        store.kill_from(root);
        self.sets.truncate(root as usize);
    }

    fn words(&self, store: &S) -> u64 {
        let (depth, plain) = (u64::from(self.depth), store.words());
        match self.idea {
            // Depth, lowlink, marks.
            Idea::Sparse => 3 * self.dstack.len() as u64 + plain,
            Idea::Compacted => 2 * depth + plain - depth,
            Idea::Early => 2 * depth + plain + self.sets.len() as u64,
        }
    }

    fn peaks(&self, store: &S, stats: &mut Stats) {
        stats.peaks.dstack = match self.idea {
            Idea::Sparse => self.peak_dstack as u64,
            // All states of the search stack would have an entry.
            Idea::Compacted | Idea::Early => self.peak_depth.into(),
        };
        (stats.peaks.live, stats.peaks.dead) = store.peaks();
    }
}
