//! The plainest store of system states, for explorations that bring none of their own.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};
use lariat_core::{Arena, Batch, FlatArena, Full, MAX_STATES, SystemId, SystemStore, Word};

/// Every row whole.
pub(super) struct Plain {
    rows: FlatArena,
    tags: Vec<u32>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    limit: usize,
}

impl Plain {
    pub(super) fn new(width: usize) -> Self {
        Plain {
            rows: FlatArena::new(width),
            tags: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            limit: usize::MAX,
        }
    }
}

impl SystemStore for Plain {
    type Row = [Word];

    fn len(&self) -> usize {
        self.tags.len()
    }

    fn load(&mut self, id: SystemId) -> &[Word] {
        self.rows.get(id as u32)
    }

    fn intern(&mut self, row: &[Word]) -> Result<SystemId, Full> {
        let Plain { rows, tags, table, hasher, .. } = self;
        let hash = hasher.hash_one(row);
        if let Some(&id) = table.find(hash, |&id| rows.get(id) == row) {
            return Ok(id.into());
        }
        if tags.len() >= MAX_STATES || self.bytes() > self.limit {
            return Err(Full);
        }
        let Plain { rows, tags, table, hasher, .. } = self;
        let id = tags.len() as u32;
        rows.push(row);
        tags.push(0);
        table.insert_unique(hash, id, |&id| hasher.hash_one(rows.get(id)));
        Ok(id.into())
    }

    fn take_in_rows<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        for at in rows {
            out.push(self.intern(batch.row(at))?);
        }
        Ok(())
    }

    fn tag(&self, id: SystemId) -> u32 {
        self.tags[id as usize]
    }

    fn set_tag(&mut self, id: SystemId, tag: u32) {
        self.tags[id as usize] = tag;
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.tags.capacity() * size_of::<u32>()
            + self.table.capacity() * (size_of::<u32>() + 1)
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}
