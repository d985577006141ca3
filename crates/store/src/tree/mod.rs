//! Tree compression: a row as a tree of shared parts, each different part kept once.
//!
//! After Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free" (SPIN
//! 2011), where two words of a row are a node, two nodes are a node, and so on up to the root.
//! States of a protocol are combinations of few parts, so there are far fewer nodes below than
//! roots, and a state costs little more than its root.
//!
//! Here, neighbouring words with few values together are a *group*, which is looked up as a
//! whole in a table of its own. A root is 64 bits, divided among the groups: in most models all
//! of them fit, and there is nothing between. Where they do not, pairs are made of some, as in
//! the paper, and take 32 bits of the root.
//!
//! - `shape`: which words and parts are a node, and where they are in the root
//! - `cells`: words that are taken apart, where processes look at bytes of them
//! - `plan`: the shape that suits the states at hand; `reshape`: from one shape to another
//! - `group`: the values of neighbouring words
//! - `memo`: the pairs looked up last; `pack`: rows as roots without ids
//! - `tables`: what all who work on a tree share; `worker`: what each has for itself, and the ways
//!   from ids to rows, to roots and to ids
//!
//! - `shared`: states without numbers, in a set that threads share; `common`: the values of groups then;
//!   `nodes`: pairs of them, `pairing`: which ones, `repack`: when 64 bits are not enough,
//!   `split`: when a group has very many values; `session`: what each thread does with them; `parts`: their parts, for other processes
//!
//! Roots are numbered from 0: the number is the id of the state. A successor is compared with
//! the row that was loaded last, whose root is known, and only parts with words that differ are
//! looked up. What is likely not in the cache is asked for, for all rows that were taken in,
//! before any is waited for: the pairs right below the root, the roots.
//!
//! At first nothing is known of the states, and every word stands for itself. When there are
//! some thousands of states, a better shape is made from a sample of them, and the states are
//! stored again; later once more, if there are too many nodes still.

mod cells;
mod common;
mod group;
mod memo;
mod nodes;
mod pack;
mod pairing;
mod parts;
mod plan;
mod repack;
mod reshape;
mod session;
mod shape;
mod shared;
mod split;
mod tables;
mod tuning;
mod worker;

use crate::pairs::{Pairs, hash};
use lariat_core::{Batch, Fields, Full, SystemId, SystemStore, Word};
use shape::Shape;
use std::ops::Range;
use tables::Tables;
use worker::{Found, Trouble, Worker};

pub use parts::Layout;
pub use session::{Ending, SharedSession, SharedWorker};
pub use shared::{Keys, Numbered, SharedTree};
pub use tuning::Tuning;

/// An exact store of rows of one width.
#[derive(Debug)]
pub struct Tree {
    tables: Tables,
    worker: Worker,
}

/// Threads may hand it on.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Tree>();
};

impl Tree {
    pub fn new(width: usize) -> Self {
        Tree::with_shape(Shape::even(width))
    }

    fn with_shape(shape: Shape) -> Self {
        let mut tables = Tables::new(shape);
        let mut worker = Worker::new(&tables);
        // There must be a row to compare the first with: that of zeros.
        worker.set_loaded(&mut tables).expect("there is no limit yet");
        Tree { tables, worker }
    }

    pub fn with_tuning(mut self, tuning: Tuning) -> Self {
        self.tables.tuning = tuning;
        self.tables.next_plan = tuning.first_plan;
        self
    }

    /// Pretends that 32-bit ids run out after so many states. That takes longer to wait for than
    /// a test has time.
    pub fn with_narrow_ids_up_to(mut self, states: usize) -> Self {
        self.tables.roots.set_most_narrow(states);
        self
    }

    /// Finds the roots of rows and asks for their buckets. If the shape must change, the ids
    /// of the rows up to there are taken at once.
    #[inline(always)]
    fn find_rows<'b>(
        &mut self,
        mut rows: impl ExactSizeIterator<Item = &'b [Word]>,
        take: &mut impl FnMut(SystemId),
    ) -> Result<(), Full> {
        self.make_root_room(rows.len())?;
        while let Some(row) = rows.next() {
            while let Err(trouble) = self.worker.find_root(&mut self.tables, row) {
                self.worker.forget_row();
                if let Trouble::Full = trouble {
                    self.worker.forget_all();
                    return Err(Full);
                }
                self.worker.look_up(&mut self.tables, take)?;
                self.make_fields_fit()?;
                self.make_root_room(rows.len() + 1)?;
            }
        }
        Ok(())
    }

    /// Makes room for what was taken in and so many more states.
    #[inline(always)]
    fn make_root_room(&mut self, more: usize) -> Result<(), Full> {
        if self.tables.roots.len() >= self.tables.next_plan && self.worker.found.is_empty() {
            self.reconsider_shape();
        }
        self.tables.make_root_room(self.worker.found.len() + more)
    }
}

impl SystemStore for Tree {
    type Row = [Word];

    fn len(&self) -> usize {
        self.tables.roots.len()
    }

    fn load(&mut self, id: SystemId) -> &[Word] {
        self.worker.load(&self.tables, self.tables.roots.get(id))
    }

    fn intern(&mut self, row: &[Word]) -> Result<SystemId, Full> {
        let mut id = 0;
        self.find_rows(std::iter::once(row), &mut |found| id = found)?;
        self.worker.look_up(&mut self.tables, &mut |found| id = found)?;
        Ok(id)
    }

    fn take_in_rows<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        let rows = rows.map(|number| batch.row(number));
        self.find_rows(rows, &mut |id| out.push(id))
    }

    fn finish(&mut self, out: &mut Vec<SystemId>) -> Result<(), Full> {
        let Tree { tables, worker } = self;
        out.reserve(worker.found.len());
        // What was taken in packed has no room yet.
        if let Err(full) = tables.make_root_room(worker.found.len()) {
            worker.forget_all();
            return Err(full);
        }
        worker.look_up(tables, &mut |id| out.push(id))?;
        if tables.roots.len() >= tables.next_plan {
            self.reconsider_shape();
        }
        Ok(())
    }

    fn knows(&mut self, row: &[Word]) -> Option<bool> {
        let Tree { tables, worker } = self;
        debug_assert!(worker.found.is_empty(), "nothing is taken in");
        if worker.find_root(tables, row).is_err() {
            worker.forget_row();
            return None;
        }
        let is_found = worker.find_unknown(tables).is_ok();
        let known = worker.found.first().filter(|_| is_found);
        let known = known.map(|found| tables.roots.contains(found.root, found.hash));
        worker.forget_all();
        known
    }

    #[inline]
    fn shape(&self) -> Option<u64> {
        Some(self.tables.shapes)
    }

    fn fields(&self, bytes: &[u64]) -> Option<Fields> {
        Some(Fields { mask: self.tables.mask_of(bytes), version: self.tables.shapes })
    }

    #[inline]
    fn packed(&self, id: SystemId) -> u64 {
        self.tables.roots.get(id)
    }

    #[inline(always)]
    fn take_in_packed(&mut self, packed: u64) {
        let hash = hash(packed);
        self.tables.roots.prefetch_bucket(hash);
        self.worker.found.push(Found { root: packed, hash });
    }

    #[inline]
    fn pending(&self) -> usize {
        self.worker.found.len()
    }

    #[inline]
    fn pending_packed(&self, at: usize) -> Option<u64> {
        let is_known = !self.worker.unknown.iter().any(|unknown| unknown.row as usize == at);
        is_known.then(|| self.worker.found[at].root)
    }

    fn take_back(&mut self, pending: usize) {
        self.worker.found.truncate(pending);
        self.worker.unknown_before(pending);
    }

    fn suit(&mut self, classes: &[u32]) {
        if self.tables.classes != classes {
            self.tables.classes = classes.to_vec();
            self.tables.plan_anew();
        }
    }

    #[inline]
    fn prefetch(&self, id: SystemId) {
        self.tables.roots.prefetch_id(id);
    }

    fn bytes(&self) -> usize {
        self.tables.bytes() + self.worker.bytes()
    }

    fn forget_states(&mut self) {
        self.worker.forget_all();
        self.tables.roots = Pairs::new().with_limits_of(&self.tables.roots);
        self.tables.last_overflow = 0;
    }

    fn allow_wide_ids(&mut self) {
        self.tables.roots.allow_wide_ids();
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.tables.limit = limit.saturating_sub(self.worker.bytes());
    }
}
