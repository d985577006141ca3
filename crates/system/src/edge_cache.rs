//! The successors of system states, kept by id so that a second visit (in another automaton
//! state, in a second search) need not compute them again.

use lariat_core::{SystemId, makes_mistake};

/// Lists of ids of 32 bits within a budget of bytes: states that were expanded first are kept.
#[derive(Debug)]
pub(crate) struct EdgeCache {
    /// By id: where its list starts in `lists`, plus 1; 0 if it has none.
    starts: Vec<u32>,
    /// Lists one behind the other, each headed by its length.
    lists: Vec<u32>,
    budget: usize,
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
    pub(crate) fn get(&self, id: SystemId) -> Option<impl Iterator<Item = SystemId>> {
        let start = self.starts.get(id as usize)?.checked_sub(1)? as usize;
        let len = self.lists[start] as usize;
        Some(self.lists[start + 1..][..len].iter().map(|&id| id.into()))
    }

    /// Keeps the list of a state that has none yet, if there is room. `spare` says how many bytes
    /// more there may be. Whether it has grown.
    #[inline]
    pub(crate) fn put(
        &mut self,
        id: SystemId,
        list: &[SystemId],
        spare: impl FnOnce(&Self) -> usize,
    ) -> bool {
        let starts = self.starts.len().max(id as usize + 1);
        let lists = self.lists.len() + list.len() + 1;
        let grows = starts > self.starts.capacity() || lists > self.lists.capacity();
        if grows && !self.grow(starts, lists, spare) {
            return false;
        }
        self.starts.resize(starts, 0);
        self.starts[id as usize] = self.lists.len() as u32 + 1;
        self.lists.push(list.len() as u32);
        self.lists.extend(list.iter().map(|&id| id as u32));
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
    use super::EdgeCache;

    #[test]
    fn what_is_kept_is_as_it_was() {
        for (budget, spare) in
            [(0, usize::MAX), (1_000, usize::MAX), (100_000, usize::MAX), (100_000, 500)]
        {
            let mut cache = EdgeCache::new(budget);
            let list = |id: u64| (0..id % 5).map(|n| id + n).collect::<Vec<_>>();
            for id in (0..2_000).rev() {
                cache.put(id, &list(id), |cache| spare.saturating_sub(cache.bytes()));
                assert!(cache.bytes() <= budget.min(spare));
            }
            let kept = (0..2_000).filter(|&id| cache.get(id).is_some()).count();
            assert!((0..2_000).all(|id| cache.get(id).is_none_or(|kept| kept.eq(list(id)))));
            let is_all = budget == 100_000 && spare > budget;
            assert_eq!(kept == 2_000, is_all, "{kept} of budget {budget}, spare {spare}");
            assert!(cache.get(5_000).is_none());
        }
    }
}
