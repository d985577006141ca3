//! Rows of dense numbers, packed: each word of a row has the bits that its values need so far, and a
//! state is a key of 64 or 128 bits, found as it is. Nothing is between a row and its key, neither
//! tables of values nor pairs: that suits rows whose words are numbers from 0 already, such as those of
//! models in Rust. Exact: equal rows have equal keys, and a key tells its row.
//!
//! When a word needs more bits it gets them behind all bits in use. Keys do not change by that: there
//! the new bits are zeros. The bits of a word are put together again when the index grows, and all
//! keys are looked at anyway.
//!
//! - `layout`: which bits hold which word
//! - `packed`: keys and their ids
//!
//! Where 64 bits are not enough, 128 are used; where these are not, all rows go into another store.

mod layout;
mod packed;

use crate::{Exact, Tree};
use lariat_core::{Batch, FlatArena, Full, SystemId, SystemStore, Word};
use packed::{Packed, Packs};
use std::ops::Range;

/// So many rows are moved at once.
const BLOCK: usize = 64;

/// What keeps rows that do not fit into 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    Tree,
    Flat,
}

/// An exact store of rows of one width.
#[derive(Debug)]
pub struct Dense {
    kind: Kind,
    beyond: Beyond,
    has_wide_ids: bool,
    limit: usize,
}

#[derive(Debug)]
enum Kind {
    Narrow(Packed<u64>),
    Wide(Packed<u128>),
    Tree(Box<Tree>),
    Flat(Box<Exact<u32, FlatArena>>),
}

macro_rules! each {
    ($kind:expr, $packed:ident => $of_packed:expr, $store:ident => $of_store:expr) => {
        match $kind {
            Kind::Narrow($packed) => $of_packed,
            Kind::Wide($packed) => $of_packed,
            Kind::Tree($store) => $of_store,
            Kind::Flat($store) => $of_store,
        }
    };
}

impl Dense {
    pub fn new(width: usize, beyond: Beyond) -> Self {
        let kind = Kind::Narrow(Packed::new(width));
        Dense { kind, beyond, has_wide_ids: false, limit: usize::MAX }
    }

    /// How many bits a state has; none if they are too many.
    pub fn bits(&self) -> Option<u32> {
        match &self.kind {
            Kind::Narrow(_) => Some(64),
            Kind::Wide(_) => Some(128),
            Kind::Tree(_) | Kind::Flat(_) => None,
        }
    }

    fn spare(&self) -> usize {
        self.limit.saturating_sub(SystemStore::bytes(self))
    }

    /// Interns rows into the kind at hand. Whether it has outgrown its bits, and after how many rows.
    #[inline(always)]
    fn take_in_some<'b>(
        &mut self,
        rows: impl Iterator<Item = &'b [Word]>,
        take: &mut impl FnMut(SystemId),
    ) -> Result<Option<usize>, Full> {
        for (at, row) in rows.enumerate() {
            let taken = each!(&mut self.kind,
                packed => packed.take_in(row).is_ok(),
                store => { take(SystemStore::intern(&mut **store, row)?); true });
            if !taken {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    #[inline(always)]
    fn look_up(&mut self, take: &mut impl FnMut(SystemId)) -> Result<(), Full> {
        let spare = self.spare();
        each!(&mut self.kind,
            packed => packed.look_up(spare, take),
            _store => Ok(()))
    }

    /// All rows into the next kind.
    #[cold]
    fn outgrow(&mut self) -> Result<(), Full> {
        let spare = self.spare();
        let kind = match &mut self.kind {
            Kind::Narrow(old) => {
                let mut wide = Packed::<u128>::new(old.width());
                match move_packed(old, &mut wide, spare)? {
                    true => Kind::Wide(wide),
                    // So many words need so many bits at once.
                    false => beyond(old, self.beyond, spare)?,
                }
            }
            Kind::Wide(old) => beyond(old, self.beyond, spare)?,
            Kind::Tree(_) | Kind::Flat(_) => unreachable!("any row fits"),
        };
        self.kind = kind;
        if self.has_wide_ids {
            self.allow_wide_ids();
        }
        self.limit_bytes(self.limit);
        Ok(())
    }
}

/// Interns all rows of one store in another, under the same ids. False if they do not fit.
fn move_packed<K: Packs>(
    old: &mut Packed<K>,
    new: &mut Packed<u128>,
    spare: usize,
) -> Result<bool, Full> {
    let len = old.keys.len() as SystemId;
    for first in (0..len).step_by(BLOCK) {
        for id in first..len.min(first + BLOCK as SystemId) {
            if new.take_in(old.load(id)).is_err() {
                return Ok(false);
            }
        }
        let left = spare.saturating_sub(new.keys.bytes());
        new.look_up(left, &mut |_| ())?;
    }
    Ok(true)
}

fn beyond<K: Packs>(old: &mut Packed<K>, beyond: Beyond, spare: usize) -> Result<Kind, Full> {
    fn move_all<K: Packs, S: SystemStore<Row = [Word]>>(
        old: &mut Packed<K>,
        mut new: S,
        spare: usize,
    ) -> Result<S, Full> {
        new.limit_bytes(spare);
        for id in 0..old.keys.len() as SystemId {
            let found = new.intern(old.load(id))?;
            debug_assert_eq!(found, id);
        }
        Ok(new)
    }
    let width = old.width();
    Ok(match beyond {
        Beyond::Tree => Kind::Tree(Box::new(move_all(old, Tree::new(width), spare)?)),
        Beyond::Flat => {
            Kind::Flat(Box::new(move_all(old, Exact::new(FlatArena::new(width)), spare)?))
        }
    })
}

impl SystemStore for Dense {
    type Row = [Word];

    fn len(&self) -> usize {
        each!(&self.kind, packed => packed.keys.len(), store => SystemStore::len(&**store))
    }

    #[inline]
    fn load(&mut self, id: SystemId) -> &[Word] {
        each!(&mut self.kind, packed => packed.load(id), store => store.load(id))
    }

    fn intern(&mut self, row: &[Word]) -> Result<SystemId, Full> {
        let mut id = 0;
        while self.take_in_some(std::iter::once(row), &mut |found| id = found)?.is_some() {
            self.outgrow()?;
        }
        self.look_up(&mut |found| id = found)?;
        Ok(id)
    }

    fn take_in_rows<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        mut rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        if let Kind::Tree(tree) = &mut self.kind {
            return tree.take_in_rows(batch, rows, out);
        }
        if let Kind::Flat(flat) = &mut self.kind {
            return flat.take_in_rows(batch, rows, out);
        }
        let take = &mut |id| out.push(id);
        while let Some(taken) =
            self.take_in_some(rows.clone().map(|number| batch.row(number)), take)?
        {
            rows.start += taken;
            self.look_up(take)?;
            self.outgrow()?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<SystemId>) -> Result<(), Full> {
        if let Kind::Tree(tree) = &mut self.kind {
            return tree.finish(out);
        }
        self.look_up(&mut |id| out.push(id))
    }

    #[inline]
    fn prefetch(&self, id: SystemId) {
        each!(&self.kind, packed => packed.keys.prefetch_id(id), store => SystemStore::prefetch(&**store, id));
    }

    fn bytes(&self) -> usize {
        each!(&self.kind, packed => packed.keys.bytes(), store => SystemStore::bytes(&**store))
    }

    fn forget_states(&mut self) {
        each!(&mut self.kind, packed => packed.forget_states(), store => store.forget_states());
    }

    fn allow_wide_ids(&mut self) {
        self.has_wide_ids = true;
        each!(&mut self.kind, packed => packed.keys.allow_wide_ids(), store => store.allow_wide_ids());
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
        if let Kind::Tree(tree) = &mut self.kind {
            tree.limit_bytes(limit);
        }
        if let Kind::Flat(flat) = &mut self.kind {
            flat.limit_bytes(limit);
        }
    }
}
