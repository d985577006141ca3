//! Disjoint sets over `0..n`: link by rank, path compression, immediate parent check, and
//! one word for each element (Patwary, Blair, Manne, *Experiments on Union-Find Algorithms
//! for the Disjoint-Set Data Structure*, SEA 2010, as RDKP §7 names them).

use lariat_core::Full;

/// A root's word has this bit and its rank, another element's word is its parent.
const ROOT: u32 = 1 << 31;

/// A partition of the elements made so far.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    words: Vec<u32>,
}

impl UnionFind {
    pub fn new() -> Self {
        UnionFind::default()
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }

    /// Makes room for so many more elements, if there are numbers for them.
    #[inline]
    pub(crate) fn make_room(&mut self, more: usize) -> Result<(), Full> {
        match self.words.len() + more <= ROOT as usize {
            true => self.words.try_reserve(more).or(Err(Full)),
            false => Err(Full),
        }
    }

    /// A new element in a class of its own.
    #[inline]
    pub fn make_set(&mut self) -> u32 {
        let element = self.words.len() as u32;
        assert!(element < ROOT, "fewer than 2^31 elements");
        self.words.push(ROOT);
        element
    }

    /// Uses the slot of an element again for a class of its own. No element outside of its
    /// old class may be asked about through it: the whole old class must be given up.
    #[inline]
    pub fn reset(&mut self, element: u32) {
        self.words[element as usize] = ROOT;
    }

    /// The root of the class.
    #[inline]
    pub fn find(&self, mut element: u32) -> u32 {
        loop {
            let word = self.words[element as usize];
            if word >= ROOT {
                return element;
            }
            element = word;
        }
    }

    #[inline]
    fn find_and_compress(&mut self, element: u32) -> u32 {
        let root = self.find(element);
        let mut at = element;
        while at != root {
            let parent = self.words[at as usize];
            self.words[at as usize] = root;
            at = parent;
        }
        root
    }

    /// Whether both have the same parent, or one is the other's: then they are in one class.
    #[inline]
    fn immediate_parent_check(&self, a: u32, b: u32) -> bool {
        let (parent_a, parent_b) = (self.words[a as usize], self.words[b as usize]);
        a == b || parent_a == b || parent_b == a || (parent_a == parent_b && parent_a < ROOT)
    }

    #[inline]
    pub fn same_set(&mut self, a: u32, b: u32) -> bool {
        self.immediate_parent_check(a, b) || self.find_and_compress(a) == self.find_and_compress(b)
    }

    #[inline]
    pub fn unite(&mut self, a: u32, b: u32) {
        if self.immediate_parent_check(a, b) {
            return;
        }
        let (a, b) = (self.find_and_compress(a), self.find_and_compress(b));
        if a == b {
            return;
        }
        let (rank_a, rank_b) = (self.words[a as usize], self.words[b as usize]);
        if rank_a < rank_b {
            self.words[a as usize] = b;
        } else {
            self.words[b as usize] = a;
            self.words[a as usize] += u32::from(rank_a == rank_b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UnionFind;

    /// Random operations against classes as plain labels.
    #[test]
    fn agrees_with_labels() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let (mut sets, mut labels) = (UnionFind::new(), Vec::<u32>::new());
            let mut fresh = 1000;
            for _ in 0..200 {
                if labels.is_empty() || random.u32(..4) == 0 {
                    labels.push(sets.make_set());
                    continue;
                }
                let many = labels.len() as u32;
                let (a, b) = (random.u32(..many), random.u32(..many));
                let (of_a, of_b) = (labels[a as usize], labels[b as usize]);
                assert_eq!(sets.find(a) == sets.find(b), of_a == of_b);
                assert_eq!(sets.same_set(a, b), of_a == of_b);
                match random.u32(..6) {
                    0..=2 => {
                        sets.unite(a, b);
                        labels.iter_mut().filter(|l| **l == of_a).for_each(|l| *l = of_b);
                    }
                    3 => {
                        // Give up the class of `a`: every member starts anew.
                        for (i, label) in labels.iter_mut().enumerate() {
                            if *label == of_a {
                                sets.reset(i as u32);
                                fresh += 1;
                                *label = fresh;
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn ranks_stay_logarithmic() {
        let mut sets = UnionFind::new();
        let n = 1 << 12;
        for _ in 0..n {
            sets.make_set();
        }
        // Uniting blocks of equal size makes the deepest trees there are.
        let mut step = 1;
        while step < n {
            for a in (0..n).step_by(2 * step as usize) {
                sets.unite(a, a + step);
            }
            step *= 2;
        }
        for element in 0..n {
            let (mut depth, mut at) = (0, element);
            while sets.find(element) != at {
                at = sets.words[at as usize];
                depth += 1;
            }
            assert!(depth <= 12);
        }
    }
}
