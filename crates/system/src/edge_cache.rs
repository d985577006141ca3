//! The successors of system states, kept by id so that a second visit (in another automaton
//! state, in a second search) need not compute them again.

use lariat_core::{Marks, SystemId, makes_mistake};

/// Lists of ids of 32 bits within a budget of bytes: states that were expanded first are kept.
#[derive(Debug)]
pub(crate) struct EdgeCache {
    /// By id: where its list starts in `lists`, plus 1; 0 if it has none.
    starts: Vec<u32>,
    /// Lists one behind the other, each headed by its length and by the number of marks, which are two
    /// words each and lie behind the ids.
    lists: Vec<u32>,
    budget: usize,
}

/// Words before a list.
const HEAD: usize = 2;

/// The successors of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'c> {
    ids: &'c [u32],
    marks: &'c [u32],
}

impl<'c> List<'c> {
    #[inline]
    pub(crate) fn ids(self) -> impl Iterator<Item = SystemId> + 'c {
        self.ids.iter().map(|&id| id.into())
    }

    /// One for each successor, or none at all.
    pub(crate) fn marks(self) -> impl Iterator<Item = Marks> + 'c {
        let words = self.marks.chunks_exact(2);
        let words = words.map(|words| match makes_mistake("edge-cache-marks") {
            true => &self.marks[..2],
            false => words,
        });
        words.map(|words| Marks(u64::from(words[0]) | u64::from(words[1]) << 32))
    }
}

impl EdgeCache {
    /// At most so many bytes; 0 keeps nothing.
    pub(crate) fn new(budget: usize) -> Self {
        EdgeCache { starts: Vec::new(), lists: Vec::new(), budget }
    }

    #[inline]
    pub(crate) fn is_used(&self) -> bool {
        self.budget > 0
    }

    pub(crate) fn clear(&mut self) {
        if makes_mistake("edge-cache-stale") {
            return;
        }
        self.starts.clear();
        self.lists.clear();
    }

    #[inline]
    pub(crate) fn get(&self, id: SystemId) -> Option<List<'_>> {
        let start = self.starts.get(id as usize)?.checked_sub(1)? as usize;
        let (len, marks) = (self.lists[start] as usize, self.lists[start + 1] as usize);
        let (ids, behind) = self.lists[start + HEAD..].split_at(len);
        Some(List { ids, marks: &behind[..2 * marks] })
    }

    /// Keeps the list of a state that has none yet, if there is room. `spare` says how many bytes
    /// more there may be. Whether it has grown.
    #[inline]
    pub(crate) fn put(
        &mut self,
        id: SystemId,
        list: &[SystemId],
        marks: &[Marks],
        spare: impl FnOnce(&Self) -> usize,
    ) -> bool {
        let starts = self.starts.len().max(id as usize + 1);
        let lists = self.lists.len() + HEAD + list.len() + 2 * marks.len();
        let grows = starts > self.starts.capacity() || lists > self.lists.capacity();
        if grows && !self.grow(starts, lists, spare) {
            return false;
        }
        self.starts.resize(starts, 0);
        self.starts[id as usize] = self.lists.len() as u32 + 1;
        self.lists.extend([list.len() as u32, marks.len() as u32]);
        self.lists.extend(list.iter().map(|&id| id as u32));
        self.lists.extend(marks.iter().flat_map(|marks| [marks.0 as u32, (marks.0 >> 32) as u32]));
        grows
    }

    /// Grows by a quarter rather than by doubling, and only within the budget.
    #[cold]
    fn grow(&mut self, starts: usize, lists: usize, spare: impl FnOnce(&Self) -> usize) -> bool {
        let grown = |len: usize, capacity: usize| match len <= capacity {
            true => capacity,
            false => len.max(capacity + capacity / 4).max(64),
        };
        let starts = grown(starts, self.starts.capacity());
        let lists = grown(lists, self.lists.capacity());
        let bytes = (starts + lists) * size_of::<u32>();
        let fits = bytes <= self.budget.min(self.bytes().saturating_add(spare(self)))
            && lists < u32::MAX as usize;
        if fits {
            self.starts.reserve_exact(starts - self.starts.len());
            self.lists.reserve_exact(lists - self.lists.len());
        }
        fits
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.lists.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::{EdgeCache, Marks};

    #[test]
    fn what_is_kept_is_as_it_was() {
        for (budget, spare) in
            [(0, usize::MAX), (1_000, usize::MAX), (100_000, usize::MAX), (100_000, 500)]
        {
            let mut cache = EdgeCache::new(budget);
            let list = |id: u64| (0..id % 5).map(|n| id + n).collect::<Vec<_>>();
            let marks = |id: u64| match id % 2 {
                0 => Vec::new(),
                _ => list(id).into_iter().map(|id| Marks(id << 40 | 7)).collect(),
            };
            for id in (0..2_000).rev() {
                let left = |cache: &EdgeCache| spare.saturating_sub(cache.bytes());
                cache.put(id, &list(id), &marks(id), left);
                assert!(cache.bytes() <= budget.min(spare));
            }
            let kept = (0..2_000).filter(|&id| cache.get(id).is_some()).count();
            assert!((0..2_000).all(|id| {
                cache
                    .get(id)
                    .is_none_or(|kept| kept.ids().eq(list(id)) && kept.marks().eq(marks(id)))
            }));
            let is_all = budget == 100_000 && spare > budget;
            assert_eq!(kept == 2_000, is_all, "{kept} of budget {budget}, spare {spare}");
            assert!(cache.get(5_000).is_none());
        }
    }
}
