//! From where each state was reached first, in two bits for a state.
//!
//! Breadth first, states are expanded in the order of their ids, and their new successors have
//! the next ids. So it is enough to know how many each one had: a one for each child, a zero
//! behind the last.

/// The numbers are those of a breadth-first search; the first state has no parent.
#[derive(Debug, Default)]
pub struct Parents {
    words: Vec<u64>,
    len: usize,
}

impl Parents {
    /// Bytes that [`Parents::reserve`] would take.
    #[inline]
    pub fn growth(&self, bits: usize) -> usize {
        match self.len + bits <= self.words.len() * 64 {
            true => 0,
            false => self.step(bits) * size_of::<u64>(),
        }
    }

    /// Makes room for so many more bits.
    pub fn reserve(&mut self, bits: usize) {
        let step = self.step(bits);
        self.words.reserve_exact(step);
        self.words.resize(self.words.len() + step, 0);
    }

    /// By a quarter and not by doubling.
    fn step(&self, bits: usize) -> usize {
        (self.words.len() / 4).max(bits / 64 + 1).max(256)
    }

    /// The next state is a child of the parent at hand.
    #[inline]
    pub fn push_child(&mut self) {
        self.words[self.len / 64] |= 1 << (self.len % 64);
        self.len += 1;
    }

    /// The children to come are those of the next state.
    #[inline]
    pub fn end_parent(&mut self) {
        self.len += 1;
    }

    /// From the first state to this one.
    pub fn path(&self, last: u64) -> Vec<u64> {
        let lookup = self.lookup();
        // The first state is no child: state `id` is the one of that number, from 1.
        let before = |&id: &u64| (id != 0).then(|| lookup.parent_of(id));
        let mut ids: Vec<u64> = std::iter::successors(Some(last), before).collect();
        ids.reverse();
        ids
    }

    /// For finding the parents of states.
    pub fn lookup(&self) -> Lookup<'_> {
        let mut count = 0_u64;
        let ones = self.words.iter().map(|word| {
            let before = count;
            count += u64::from(word.count_ones());
            before
        });
        Lookup { words: &self.words, ones: ones.collect() }
    }

    /// Bytes reserved.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

/// The children's parents.
#[derive(Debug)]
pub struct Lookup<'p> {
    words: &'p [u64],
    /// Ones before each word.
    ones: Vec<u64>,
}

impl Lookup<'_> {
    /// Of the child of this number, from 1: the number of its parent, from 0.
    pub fn parent_of(&self, child: u64) -> u64 {
        let reach = child + u64::from(crate::makes_mistake("parents-word"));
        let word = self.ones.partition_point(|&before| before < reach) - 1;
        let mut bits = self.words[word];
        for _ in self.ones[word] + 1..child {
            bits &= bits - 1;
        }
        let position = word * 64 + bits.trailing_zeros() as usize;
        // Each zero before it ended a parent, and there were `child` - 1 ones.
        position as u64 + 1 - child
    }
}

#[cfg(test)]
mod tests {
    use super::Parents;

    #[test]
    fn agree_with_a_list() {
        let (mut parents, mut list) = (Parents::default(), vec![0_u64]);
        let mut random = fastrand::Rng::with_seed(1);
        let mut parent = 0;
        while parent < 5_000 {
            // At least one child while there is no other parent left.
            let least = u64::from(list.len() as u64 - 1 == parent);
            let many = if random.u32(..100) == 0 { 90 } else { 1 };
            let children = random.u64(..3).max(least) * many;
            if parents.growth(children as usize + 1) > 0 {
                parents.reserve(children as usize + 1);
            }
            for _ in 0..children {
                parents.push_child();
                list.push(parent);
            }
            parents.end_parent();
            parent += 1;
        }
        for last in (0..list.len() as u64).step_by(7) {
            let mut path = vec![last];
            while let Some(&id) = path.last().filter(|&&id| id != 0) {
                path.push(list[id as usize]);
            }
            path.reverse();
            assert_eq!(parents.path(last), path);
        }
    }
}
