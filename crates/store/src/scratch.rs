//! Rows in the order in which they come, equal ones as often as they come: for searches that keep
//! states elsewhere and want the successors of one at a time.

use lariat_core::{Arena, Batch, FlatArena, Full, SystemId, SystemStore, Word};
use std::ops::Range;

/// The state at hand and its successors. Ids tell nothing of whether states are equal.
#[derive(Debug)]
pub struct Scratch {
    rows: FlatArena,
}

impl Scratch {
    /// No row yet; all will have `width` words.
    pub fn new(width: usize) -> Self {
        Scratch { rows: FlatArena::new(width) }
    }
}

impl SystemStore for Scratch {
    type Row = [Word];

    #[inline]
    fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    fn load(&mut self, id: SystemId) -> &[Word] {
        self.rows.get(id as u32)
    }

    fn intern(&mut self, row: &[Word]) -> Result<SystemId, Full> {
        self.rows.reserve(1)?;
        self.rows.push(row);
        Ok(self.rows.len() as SystemId - 1)
    }

    fn take_in_rows<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        self.rows.reserve(rows.len())?;
        for row in rows {
            out.push(self.rows.len() as SystemId);
            self.rows.push(batch.row(row));
        }
        Ok(())
    }

    fn forget_states(&mut self) {
        self.rows.truncate(0);
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    fn limit_bytes(&mut self, _limit: usize) {}
}
