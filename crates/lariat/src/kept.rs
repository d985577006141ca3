//! Where rows are kept. Nothing here is generic: stores are compiled once, with this crate, and not
//! again for each model of a user.

use lariat_core::{Flat, FlatArena, Full, SystemId, SystemStore, Word};
use lariat_store::{Beyond, Dense, Exact, Tree};

/// Which store.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Dense(Beyond),
    Tree,
    Flat,
}

pub(crate) enum Kept {
    /// Rows packed into 64 or 128 bits.
    Dense(Box<Dense>),
    /// Parts that rows share are kept once.
    Tree(Box<Tree>),
    /// Rows as they are.
    Flat(Exact<u32, FlatArena>),
}

macro_rules! either {
    ($kept:expr, $store:ident => $what:expr) => {
        match $kept {
            Kept::Dense($store) => $what,
            Kept::Tree($store) => $what,
            Kept::Flat($store) => $what,
        }
    };
}

impl Kept {
    pub(crate) fn new(kind: Kind, width: usize) -> Kept {
        match kind {
            Kind::Dense(beyond) => Kept::Dense(Box::new(Dense::new(width, beyond))),
            Kind::Tree => Kept::Tree(Box::new(Tree::new(width))),
            Kind::Flat => Kept::Flat(Exact::new(FlatArena::new(width))),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Kept::Dense(store) => SystemStore::len(&**store),
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
            Kept::Dense(store) => SystemStore::prefetch(&**store, id),
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
            Kept::Dense(store) => SystemStore::bytes(&**store),
            Kept::Tree(store) => SystemStore::bytes(&**store),
            Kept::Flat(store) => SystemStore::bytes(store),
        }
    }

    pub(crate) fn limit_bytes(&mut self, limit: usize) {
        either!(self, store => store.limit_bytes(limit));
    }
}
