//! The nodes that were looked up last: most steps change the same few words to the same few
//! values, so most nodes are found here, in the first-level cache, and not in the large table.

const ENTRIES: usize = 1 << 11;

#[derive(Debug)]
pub(super) struct Memo {
    /// Node, id + 1 and the part that it is a value of; the id is 0 in a free place.
    entries: Box<[(u64, u32, u32)]>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Memo { entries: vec![(0, 0, 0); ENTRIES].into_boxed_slice() }
    }

    #[inline(always)]
    fn place(hash: u64) -> usize {
        // The bits that choose neither a bucket nor a print.
        (hash >> 8) as usize & (ENTRIES - 1)
    }

    #[inline(always)]
    pub(super) fn get(&self, part: usize, node: u64, hash: u64) -> Option<u32> {
        let (known, id, of) = self.entries[Self::place(hash)];
        if known == node && of == part as u32 { id.checked_sub(1) } else { None }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, part: usize, node: u64, hash: u64, id: u32) {
        self.entries[Self::place(hash)] = (node, id + 1, part as u32);
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<(u64, u32, u32)>()
    }
}
