//! Where rows are kept. Nothing here is generic: stores are compiled once, with this crate, and not
//! again for each model of a user.

use lariat_core::{Flat, FlatArena, Full, SystemId, SystemStore, Word};
use lariat_store::{Exact, Tree};

pub(crate) enum Kept {
    /// Parts that rows share are kept once.
    Tree(Box<Tree>),
    /// Rows as they are.
    Flat(Exact<u32, FlatArena>),
}

macro_rules! either {
    ($kept:expr, $store:ident => $what:expr) => {
        match $kept {
            Kept::Tree($store) => $what,
            Kept::Flat($store) => $what,
        }
    };
}

impl Kept {
    pub(crate) fn new(is_flat: bool, width: usize) -> Kept {
        match is_flat {
            true => Kept::Flat(Exact::new(FlatArena::new(width))),
            false => Kept::Tree(Box::new(Tree::new(width))),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Kept::Tree(store) => SystemStore::len(&**store),
            Kept::Flat(store) => SystemStore::len(store),
        }
    }

    #[inline]
    pub(crate) fn load(&mut self, id: SystemId) -> &[Word] {
        either!(self, store => store.load(id))
    }

    pub(crate) fn intern_all(&mut self, rows: &Flat, out: &mut Vec<SystemId>) -> Result<(), Full> {
        self.take_in(rows, out)?;
        self.finish(out)
    }

    pub(crate) fn take_in(&mut self, rows: &Flat, out: &mut Vec<SystemId>) -> Result<(), Full> {
        either!(self, store => store.take_in(rows, out))
    }

    pub(crate) fn finish(&mut self, out: &mut Vec<SystemId>) -> Result<(), Full> {
        either!(self, store => store.finish(out))
    }

    pub(crate) fn prefetch(&self, id: SystemId) {
        match self {
            Kept::Tree(store) => SystemStore::prefetch(&**store, id),
            Kept::Flat(store) => SystemStore::prefetch(store, id),
        }
    }

    pub(crate) fn forget_states(&mut self) {
        either!(self, store => store.forget_states());
    }

    pub(crate) fn allow_wide_ids(&mut self) {
        either!(self, store => store.allow_wide_ids());
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Kept::Tree(store) => SystemStore::bytes(&**store),
            Kept::Flat(store) => SystemStore::bytes(store),
        }
    }

    pub(crate) fn limit_bytes(&mut self, limit: usize) {
        either!(self, store => store.limit_bytes(limit));
    }
}
