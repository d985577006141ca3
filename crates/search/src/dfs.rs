//! The explicit stack all depth-first algorithms share.
//!
//! [`Dfs::step`] turns the search inside out: it yields the two places where the
//! pseudo-code of a paper has work to do, an edge and a retreat.

use lariat_core::{Batch, Cursor, DONE, Full, Graph, Intern, Limit, Marks, Pending, headway};

/// What is asked of a search, whatever its algorithm.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// How many successors are generated at a time: 1 is strictly on the fly.
    pub room: usize,
    /// States on the stack at most; deeper ones are not expanded and the search, if it finds
    /// nothing, is inconclusive.
    pub depth_limit: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { room: usize::MAX, depth_limit: usize::MAX }
    }
}

/// What a depth-first search comes to next.
pub enum DfsEvent<I> {
    /// The edge `src → dst` is looked at. [`Dfs::enter`] goes down it.
    Edge {
        /// The state on top.
        src: I,
        /// Where it leads.
        dst: I,
        /// What it carries.
        marks: Marks,
    },
    /// All edges of the state were looked at; it has left the stack.
    Retreat(I),
}

/// Expansions between two looks at how much memory the search takes.
const RESERVE_EVERY: u64 = 64;

struct Frame<I, P> {
    id: I,
    at: Cursor,
    /// The pending successors of this frame are `pending[base..]`.
    base: u32,
    own: P,
}

/// A search stack. `P` is what the algorithm keeps in each frame: the local variables of
/// the recursive procedure in its paper.
pub struct Dfs<I, B, P = ()> {
    frames: Vec<Frame<I, P>>,
    pending: Vec<Pending<I>>,
    batch: B,
    /// What the last step yielded; released by the next one unless it was entered.
    loose: Option<I>,
    /// Roots that were not asked for yet.
    roots: Vec<Pending<I>>,
    /// Whether the graph was asked for its initial states.
    begun: bool,
    depth_limit: usize,
    /// The frame payload of the state that the last step retreated from.
    left: Option<P>,
    /// Why some successors were not seen.
    cut: Option<Limit>,
    /// Edges looked at.
    pub transitions: u64,
    /// States whose successors were asked for, with repeats.
    pub expansions: u64,
    /// The longest that the stack was.
    pub max_depth: usize,
}

impl<I: Copy, B: Batch, P: Copy> Dfs<I, B, P> {
    /// `batch` comes from the graph; its room is how many successors are generated at a time.
    pub fn new(batch: B, options: SearchOptions) -> Self {
        Dfs {
            frames: Vec::new(),
            pending: Vec::new(),
            batch,
            loose: None,
            roots: Vec::new(),
            begun: false,
            depth_limit: options.depth_limit,
            left: None,
            cut: None,
            transitions: 0,
            expansions: 0,
            max_depth: 0,
        }
    }

    /// The next state to begin with, which is the caller's to release; `None` if there is none
    /// left or the search must stop ([`Dfs::cut`] tells).
    pub fn next_root<G, S>(&mut self, graph: &mut G, store: &mut S) -> Option<I>
    where
        G: Graph<Batch = B>,
        S: Intern<Row = B::Row, Id = I>,
    {
        if self.roots.is_empty() {
            let mut batch = graph.batch(usize::MAX);
            match std::mem::replace(&mut self.begun, true) {
                false => graph.initial(&mut batch),
                true => graph.more_initial(&mut batch),
            }
            if let Some(limit) = graph.stopped() {
                self.cut = Some(limit);
                return None;
            }
            if store.make_room(&batch).is_err() {
                self.cut = Some(Limit::Memory);
                return None;
            }
            store.intern_all(&batch, &mut self.roots);
        }
        self.roots.pop().map(|root| root.dst)
    }

    /// Puts `id` on the stack: the target of the edge last yielded, or a root. Roots stay
    /// the caller's to release, so that a nested search may start on another stack's state.
    #[inline]
    pub fn enter(&mut self, id: I, own: P) {
        self.loose = None;
        let at = if self.frames.len() < self.depth_limit {
            Cursor::default()
        } else {
            self.cut = Some(Limit::Depth);
            DONE
        };
        let base = u32::try_from(self.pending.len()).expect("fewer than 2^32 pending successors");
        self.frames.push(Frame { id, at, base, own });
        self.max_depth = self.max_depth.max(self.frames.len());
    }

    /// As [`Dfs::enter`], with these successors instead of those that the graph would be asked for.
    pub(crate) fn enter_with(&mut self, id: I, own: P, successors: &[Pending<I>]) {
        self.enter(id, own);
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.at != DONE) else { return };
        frame.at = DONE;
        self.pending.extend(successors.iter().rev());
        self.expansions += 1;
    }

    /// The search must end.
    pub(crate) fn stop(&mut self, limit: Limit) {
        self.cut = Some(limit);
    }

    /// The next edge or retreat; `None` when the stack is empty or the search must stop
    /// ([`Dfs::cut`] tells).
    // The inner loop of every search: inlined, with the expansion apart.
    #[inline(always)]
    pub fn step<G, S>(&mut self, graph: &mut G, store: &mut S) -> Option<DfsEvent<I>>
    where
        G: Graph<Batch = B>,
        S: Intern<Row = B::Row, Id = I>,
    {
        if let Some(id) = self.loose.take() {
            store.release(id);
        }
        loop {
            let frame = self.frames.last()?;
            if self.pending.len() > frame.base as usize {
                let Pending { dst, marks } = self.pending.pop()?;
                self.loose = Some(dst);
                self.transitions += 1;
                return Some(DfsEvent::Edge { src: frame.id, dst, marks });
            }
            if frame.at == DONE {
                let Frame { id, own, .. } = self.frames.pop()?;
                self.left = Some(own);
                self.loose = (!self.frames.is_empty()).then_some(id);
                return Some(DfsEvent::Retreat(id));
            }
            if !self.refill(graph, store) {
                return None;
            }
        }
    }

    /// Generates the next batch of successors of the top frame.
    #[inline(never)]
    fn refill<G, S>(&mut self, graph: &mut G, store: &mut S) -> bool
    where
        G: Graph<Batch = B>,
        S: Intern<Row = B::Row, Id = I>,
    {
        let Some(frame) = self.frames.last_mut() else { return false };
        self.expansions += u64::from(frame.at == Cursor::default());
        self.batch.clear();
        graph.expand(store.row(frame.id), &mut frame.at, &mut self.batch);
        if let Some(limit) = graph.stopped() {
            self.cut = Some(limit);
            return false;
        }
        if self.make_room(store).is_err() {
            self.cut = Some(Limit::Memory);
            return false;
        }
        if self.expansions.is_multiple_of(RESERVE_EVERY) {
            headway::note_depth(self.frames.len() as u64);
            if let Err(limit) = graph.reserve(self.bytes() as usize + store.bytes()) {
                self.cut = Some(limit);
                return false;
            }
        }
        store.intern_all(&self.batch, &mut self.pending);
        true
    }

    /// Room for the batch, and for one of it on the stack.
    #[inline(always)]
    fn make_room<S: Intern<Row = B::Row>>(&mut self, store: &mut S) -> Result<(), Full> {
        let more = self.batch.len();
        if self.pending.len() + more > u32::MAX as usize {
            return Err(Full);
        }
        self.pending.try_reserve(more).or(Err(Full))?;
        self.frames.try_reserve(1).or(Err(Full))?;
        store.make_room(&self.batch)
    }

    /// Why the search did not see everything, if so.
    pub fn cut(&self) -> Option<Limit> {
        self.cut
    }

    /// Whether the search must not go on; nested searches pass it up.
    pub fn stopped(&self) -> bool {
        self.cut.is_some_and(Limit::ends_search)
    }

    /// Bytes of the stack at its peak.
    pub fn bytes(&self) -> u64 {
        let frames = self.frames.capacity() * size_of::<Frame<I, P>>();
        let pending = (self.pending.capacity() + self.roots.capacity()) * size_of::<Pending<I>>();
        (frames + pending) as u64
    }

    /// States on the stack.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The payload of the frame at `depth`, 0 being the root's.
    #[inline]
    pub fn own(&self, depth: usize) -> &P {
        &self.frames[depth].own
    }

    /// The state on top.
    #[inline]
    pub fn top(&self) -> Option<I> {
        self.frames.last().map(|frame| frame.id)
    }

    /// The payload of the top frame.
    #[inline]
    pub fn top_mut(&mut self) -> Option<&mut P> {
        self.frames.last_mut().map(|frame| &mut frame.own)
    }

    /// The payload of the frame that the last [`DfsEvent::Retreat`] left.
    #[inline]
    pub fn left(&self) -> P {
        self.left.expect("called after a retreat")
    }

    /// The states on the stack, root first.
    pub fn path(&self) -> impl Iterator<Item = I> {
        self.frames.iter().map(|frame| frame.id)
    }
}
