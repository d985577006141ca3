//! Small numbers by id, as narrow as the largest of them allows.

/// Numbers of 1, 2, 4, …, 32 bits in 64-bit words; 0 at first.
#[derive(Debug, Default)]
pub struct Tags {
    words: Vec<u64>,
    /// The logarithm of the bits of a number.
    log: u32,
}

impl Tags {
    #[inline(always)]
    fn place(&self, id: u64) -> (usize, u32) {
        let per_word = 6 - self.log;
        let within = id & ((1 << per_word) - 1);
        ((id >> per_word) as usize, (within as u32) << self.log)
    }

    #[inline(always)]
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - (1_u32 << self.log))
    }

    #[inline(always)]
    pub fn get(&self, id: u64) -> u32 {
        let (word, shift) = self.place(id);
        self.words.get(word).map_or(0, |word| (word >> shift & self.mask()) as u32)
    }

    #[inline]
    pub fn set(&mut self, id: u64, tag: u32) {
        while u64::from(tag) > self.mask() {
            self.widen();
        }
        let (word, shift) = self.place(id);
        if word >= self.words.len() {
            self.lengthen(word + 1);
        }
        let mask = self.mask();
        let word = &mut self.words[word];
        *word = *word & !(mask << shift) | u64::from(tag) << shift;
    }

    /// All are 0 again.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// More bytes that it takes to set a number.
    #[inline]
    pub fn growth(&self, id: u64, tag: u32) -> usize {
        let (word, _) = self.place(id);
        if word < self.words.len() && u64::from(tag) <= self.mask() {
            return 0;
        }
        let mut log = self.log;
        while u64::from(tag) > u64::MAX >> (64 - (1_u32 << log)) {
            log += 1;
        }
        let words = self.words.len() << (log - self.log);
        let word = (id >> (6 - log)) as usize;
        let words = if word < words { words } else { Self::longer(words, word + 1) };
        (words * size_of::<u64>()).saturating_sub(self.bytes())
    }

    /// By an eighth: there are as many as states.
    fn longer(words: usize, least: usize) -> usize {
        least.max(words + words / 8).max(64)
    }

    #[cold]
    fn lengthen(&mut self, len: usize) {
        let len = Self::longer(self.words.len(), len);
        self.words.reserve_exact(len - self.words.len());
        self.words.resize(len, 0);
    }

    #[cold]
    fn widen(&mut self) {
        let count = (self.words.len() as u64) << (6 - self.log);
        let mut wider = Tags { words: vec![0; self.words.len() * 2], log: self.log + 1 };
        for id in 0..count {
            let (word, shift) = wider.place(id);
            wider.words[word] |= u64::from(self.get(id)) << shift;
        }
        *self = wider;
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::Tags;
    use std::collections::HashMap;

    #[test]
    fn agree_with_a_map_while_they_widen() {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut tags, mut map) = (Tags::default(), HashMap::new());
        for largest in [1, 1, 3, 15, 200, 60_000, u64::from(u32::MAX)] {
            for _ in 0..2_000 {
                let (id, tag) = (random.u64(..5_000), random.u64(..=largest) as u32);
                let (before, growth) = (tags.bytes(), tags.growth(id, tag));
                tags.set(id, tag);
                assert_eq!(tags.bytes(), before + growth);
                map.insert(id, tag);
            }
            for id in 0..6_000 {
                assert_eq!(tags.get(id), map.get(&id).copied().unwrap_or(0));
            }
        }
    }

    #[test]
    fn one_bit_each_as_long_as_that_is_enough() {
        let mut tags = Tags::default();
        (0..80_000).for_each(|id| tags.set(id, id as u32 & 1));
        assert!(tags.bytes() <= 80_000 / 8 * 9 / 8 + 8, "{}", tags.bytes());
    }
}
