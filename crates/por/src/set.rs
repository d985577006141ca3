//! Sets of small numbers.

/// Bytes of the globals, by number.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bytes(Vec<u64>);

impl Bytes {
    /// A set for so many bytes.
    pub(crate) fn none(len: u32) -> Bytes {
        Bytes(vec![0; (len as usize).div_ceil(64)])
    }

    pub(crate) fn add(&mut self, start: u32, end: u32) {
        for at in start as usize..end as usize {
            self.0[at / 64] |= 1 << (at % 64);
        }
    }

    pub(crate) fn join(&mut self, other: &Bytes) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn meets(&self, other: &Bytes) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}

/// Numbers below 256: pids, or ids of channels.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ids([u64; 4]);

impl Ids {
    pub(crate) const LEN: usize = 256;

    pub(crate) fn one(id: usize) -> Ids {
        let mut ids = Ids::default();
        ids.add(id);
        ids
    }

    /// From a number to another one, which is no member.
    pub(crate) fn range(from: usize, to: usize) -> Ids {
        let mut ids = Ids::default();
        (from..to.min(Ids::LEN)).for_each(|id| ids.add(id));
        ids
    }

    #[inline]
    pub(crate) fn add(&mut self, id: usize) {
        self.0[id / 64] |= 1 << (id % 64);
    }

    #[inline]
    pub(crate) fn contains(self, id: usize) -> bool {
        id < Ids::LEN && self.0[id / 64] >> (id % 64) & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    #[inline]
    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(crate) fn and(self, other: Ids) -> Ids {
        Ids(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    #[inline]
    pub(crate) fn or(self, other: Ids) -> Ids {
        Ids(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    #[inline]
    pub(crate) fn without(self, other: Ids) -> Ids {
        Ids(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    #[inline]
    pub(crate) fn meets(self, other: Ids) -> bool {
        !self.and(other).is_empty()
    }

    #[inline]
    pub(crate) fn first(self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(64 * at + self.0[at].trailing_zeros() as usize)
    }

    pub(crate) fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let id = self.first()?;
            self.0[id / 64] &= self.0[id / 64] - 1;
            Some(id)
        })
    }
}

/// A set of processes, by pid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessSet(Ids);

impl ProcessSet {
    pub(crate) fn new(pids: Ids) -> ProcessSet {
        ProcessSet(pids)
    }

    /// One process.
    pub fn one(pid: usize) -> ProcessSet {
        ProcessSet(Ids::one(pid))
    }

    #[inline]
    pub fn contains(self, pid: usize) -> bool {
        self.0.contains(pid)
    }

    /// From the oldest process on.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.iter()
    }
}
