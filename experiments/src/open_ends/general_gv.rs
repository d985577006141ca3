//! Geldenhuys and Valmari's algorithm (SE Fig. 7) for several marks on edges. SE §4.3: "it is not clear
//! how such an extension could be done".
//!
//! GV passes down a goal: the latest accepting state of the search path. Here there is one goal for each mark: the
//! latest place of the path where the mark is. It is there if the edge into a state of the path carries it, or if it was
//! gathered at the state: from an edge that closes a cycle, or from a state that was left inside the
//! component. A lowlink below all goals closes a cycle through all of them.
//!
//! - *No false report.* The states of the path from the lowlink on are in one component; each goal is an edge between
//!   two of them, or was gathered on a cycle through one of them.
//! - *No run missed.* What is gathered at a state goes to the state below when it is left inside its
//!   component. So the root has all marks of its component when its last successor was left.
//! - *Not minimal*, unlike GV with one mark: the lowlink of a state that was left may be that of a state that was
//!   left, too, and lies above the place where its marks are. Then the cycle is noticed later. A mark of GV is never
//!   on a state that was left and is still live: the cycle would have been reported.

use lariat_core::{LiveStore, Marks, Stats, Status};
use lariat_search::emptiness::scc::Component;
use lariat_search::emptiness::scc::frame::{Algorithm, Path, PathStep, Popped};

pub struct GeneralGv {
    marks: usize,
    /// By position in `live`.
    lowlinks: Vec<u32>,
    /// A row of goals for each state of the path; a lowlink must be less. 0: there is none.
    goals: Vec<u32>,
}

impl GeneralGv {
    pub fn new(marks: u32) -> GeneralGv {
        GeneralGv { marks: marks as usize, lowlinks: Vec::new(), goals: Vec::new() }
    }

    /// Goals of states that were entered since the last call.
    fn fill(&mut self, dfs: &impl Path<Marks, u32>, size: u32) {
        let k = self.marks;
        if k == 0 {
            return;
        }
        for depth in (self.goals.len() / k) as u32..size {
            let PathStep { acc, pos } = dfs.at(depth);
            for mark in 0..k {
                let below =
                    if depth == 0 { 0 } else { self.goals[(depth as usize - 1) * k + mark] };
                self.goals.push(if acc.has(mark as u32) { pos } else { below });
            }
        }
    }

    fn gather(&mut self, depth: u32, position: u32, marks: impl Fn(usize) -> bool) {
        let first = depth as usize * self.marks;
        for mark in (0..self.marks).filter(|&mark| marks(mark)) {
            self.goals[first + mark] = position + 1;
        }
    }

    /// Everything, if the lowlink of the state on top is below all its goals.
    fn report(&self, depth: u32, position: u32) -> Marks {
        let (first, low) = (depth as usize * self.marks, self.lowlinks[position as usize]);
        let is_below = self.goals[first..first + self.marks].iter().all(|&goal| low < goal);
        if is_below { Marks::all(self.marks as u32) } else { Marks::NONE }
    }
}

impl<S: LiveStore> Algorithm<S, Marks> for GeneralGv {
    type Position = u32;

    fn get_status(&self, store: &mut S, q: S::Id) -> Status {
        store.status(q)
    }

    fn push(&mut self, store: &mut S, q: S::Id, _depth: u32) -> (S::Id, u32) {
        let position = store.live_len();
        self.lowlinks.push(position);
        (store.push_live(q), position)
    }

    fn update(&mut self, _: &mut S, dfs: &impl Path<Marks, u32>, acc: Marks, d: u32) -> Marks {
        self.fill(dfs, dfs.size());
        let depth = dfs.size() - 1;
        let s = dfs.at(depth).pos;
        self.lowlinks[s as usize] = self.lowlinks[s as usize].min(self.lowlinks[d as usize]);
        self.gather(depth, s, |mark| acc.has(mark as u32));
        self.report(depth, s)
    }

    fn pop(
        &mut self,
        store: &mut S,
        dfs: &impl Path<Marks, u32>,
        s: PathStep<Marks, u32>,
    ) -> Popped<Marks> {
        let (depth, k) = (dfs.size(), self.marks);
        // A state without an edge into a live one has had no goals so far.
        self.fill(dfs, depth);
        let first = depth as usize * k;
        let own: Vec<u32> = match self.goals.len() > first {
            true => self.goals.drain(first..).collect(),
            false => Vec::new(),
        };
        let low = self.lowlinks[s.pos as usize];
        if low == s.pos {
            let size = store.live_len() - s.pos;
            return Popped::Root(Component { size, acc: Marks::NONE, trivial: false });
        }
        let below = dfs.at(depth - 1).pos;
        self.lowlinks[below as usize] = self.lowlinks[below as usize].min(low);
        // What is at the state itself, or on the edge into it.
        self.gather(depth - 1, below, |mark| {
            s.acc.has(mark as u32) || own.get(mark).is_some_and(|&goal| goal > s.pos)
        });
        Popped::Gathered(self.report(depth - 1, below))
    }

    fn kill(&mut self, store: &mut S, root: u32) {
        store.kill_from(root);
        self.lowlinks.truncate(root as usize);
    }

    fn words(&self, store: &S) -> u64 {
        (self.goals.len() + self.lowlinks.len()) as u64 + store.words()
    }

    fn peaks(&self, store: &S, stats: &mut Stats) {
        (stats.peaks.live, stats.peaks.dead) = store.peaks();
    }
}
