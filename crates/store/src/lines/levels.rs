//! The states of the level at hand and of the next one, closed up to whole bytes, in chunks.
//!
//! A thread takes a chunk of the level at hand, reads it, and writes new states to a chunk of its own; a full one is
//! handed in for the next level. Whoever has nothing to read takes the next chunk that is left, so no
//! thread is without work while another has a chunk that it has not begun. A chunk that was read is
//! written again.
//!
//! Where few chunks are left, a whole one would keep a thread busy while the others wait for it. Those are read where they are, by all threads, in pieces that
//! get smaller (C. D. Polychronopoulos, D. J. Kuck, "Guided self-scheduling", 1987). So small levels are the affair of all threads, too.
//!
//! Each list has a mutex; a chunk is owned by one list or one thread. The levels are exchanged by one
//! thread while all others wait for it ([`Levels::advance`]).

use super::budget::Budget;
use super::root::Root;
use lariat_core::Full;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const CHUNK: usize = 1 << 13;
/// States are read and written 16 bytes at once.
const SPARE: usize = 16;
/// So many chunks for each thread are few.
const FEW: usize = 2;
/// States of a piece at least: they are asked for together.
const LEAST_PIECE: usize = 16;

#[derive(Debug)]
struct Chunk {
    bytes: Box<[u8]>,
    /// Bytes of a state. Those of chunks that were filled before states got wider stay.
    stride: usize,
    /// States that were read, and all.
    read: usize,
    len: usize,
}

impl Chunk {
    fn room(&self) -> usize {
        (CHUNK - SPARE) / self.stride - self.len
    }

    #[inline(always)]
    fn push(&mut self, root: u128) {
        let at = self.len * self.stride;
        self.bytes[at..at + SPARE].copy_from_slice(&root.to_le_bytes());
        self.len += 1;
    }

    #[inline(always)]
    fn get(&self, number: usize) -> u128 {
        let at = number * self.stride;
        let mut bytes = [0; SPARE];
        bytes.copy_from_slice(&self.bytes[at..at + SPARE]);
        u128::from_le_bytes(bytes) & u128::MAX >> (128 - 8 * self.stride)
    }

    /// Adds the next states to a list, so many at most; how many.
    #[inline(always)]
    fn read_some<R: Root>(&mut self, most: usize, roots: &mut Vec<R>) -> usize {
        let end = self.len.min(self.read + most);
        roots.extend((self.read..end).map(|number| R::from_u128(self.get(number))));
        end - std::mem::replace(&mut self.read, end)
    }
}

/// Two lists of states, shared by threads.
#[derive(Debug)]
pub struct Levels<R = u64> {
    stride: usize,
    threads: usize,
    budget: Arc<Budget>,
    now: Mutex<Vec<Chunk>>,
    next: Mutex<Vec<Chunk>>,
    free: Mutex<Vec<Chunk>>,
    roots: PhantomData<R>,
}

impl<R: Root> Levels<R> {
    /// For states of so many bits, and so many threads.
    pub fn new(bits: u32, threads: usize, budget: &Arc<Budget>) -> Self {
        assert!((1..=R::BITS).contains(&bits) && threads > 0);
        Levels {
            stride: bits.div_ceil(8) as usize,
            threads,
            budget: budget.clone(),
            now: Mutex::default(),
            next: Mutex::default(),
            free: Mutex::default(),
            roots: PhantomData,
        }
    }

    /// A thread's part in it.
    pub fn hand(&self) -> Hand<'_, R> {
        Hand { levels: self, reads: None, writes: Vec::new() }
    }

    /// The next level is the one at hand. One thread says so when all have handed in what they wrote, and
    /// nothing is left of the level before. How many states it has.
    pub fn advance(&self) -> usize {
        let (mut now, mut next) = (lock(&self.now), lock(&self.next));
        debug_assert!(now.is_empty());
        std::mem::swap(&mut *now, &mut *next);
        now.iter().map(|chunk| chunk.len - chunk.read).sum()
    }

    /// Changes all states: for another way to pack them.
    pub fn change(&mut self, bits: u32, change: impl Fn(R) -> R) -> Result<(), Full> {
        let levels = Levels::new(bits, self.threads, &self.budget);
        for (from, is_now) in [(&mut self.now, true), (&mut self.next, false)] {
            let mut hand = levels.hand();
            for chunk in std::mem::take(from.get_mut().unwrap_or_else(PoisonError::into_inner)) {
                hand.make_room(chunk.len - chunk.read)?;
                for number in chunk.read..chunk.len {
                    hand.push(change(R::from_u128(chunk.get(number))));
                }
                lock(&levels.free).push(Chunk { stride: levels.stride, ..chunk });
            }
            drop(hand);
            if is_now {
                levels.advance();
            }
        }
        lock(&levels.free).append(&mut lock(&self.free));
        *self = levels;
        Ok(())
    }

    /// States get more bits, at the top.
    pub fn widen(&mut self, bits: u32) {
        self.stride = bits.div_ceil(8) as usize;
    }

    fn chunk(&self) -> Result<Chunk, Full> {
        let free = lock(&self.free).pop();
        let chunk = match free {
            Some(chunk) => chunk,
            None => {
                self.budget.take(CHUNK)?;
                Chunk { bytes: vec![0; CHUNK].into(), stride: 0, read: 0, len: 0 }
            }
        };
        Ok(Chunk { stride: self.stride, read: 0, len: 0, ..chunk })
    }

    /// A piece of the chunk that is read next, if so few are left that nobody should have a whole one. None if there are more.
    fn take_piece(&self, most: usize, roots: &mut Vec<R>) -> Option<usize> {
        let mut now = lock(&self.now);
        if self.threads == 1 || now.len() > FEW * self.threads {
            return None;
        }
        let left: usize = now.iter().map(|chunk| chunk.len - chunk.read).sum();
        let Some(chunk) = now.last_mut() else { return Some(0) };
        let count = chunk.read_some(most.min(LEAST_PIECE.max(left / (4 * self.threads))), roots);
        let is_read = chunk.read == chunk.len;
        let read = is_read.then(|| now.pop()).flatten();
        drop(now);
        if let Some(chunk) = read {
            lock(&self.free).push(chunk);
        }
        Some(count)
    }

    /// The states of the next level, or those that are left of the level at hand. Hands have been handed in.
    pub fn for_each(&self, is_next: bool, mut each: impl FnMut(R)) {
        for chunk in &*lock(if is_next { &self.next } else { &self.now }) {
            (chunk.read..chunk.len).for_each(|number| each(R::from_u128(chunk.get(number))));
        }
    }

    /// What all chunks take.
    pub fn bytes(&self) -> usize {
        [&self.now, &self.next, &self.free].iter().map(|list| lock(list).len() * CHUNK).sum()
    }
}

impl<R> Drop for Levels<R> {
    fn drop(&mut self) {
        let lists = [&self.now, &self.next, &self.free];
        self.budget.give_back(lists.iter().map(|list| lock(list).len() * CHUNK).sum());
    }
}

/// Nothing is half done when a list is in use.
fn lock(list: &Mutex<Vec<Chunk>>) -> MutexGuard<'_, Vec<Chunk>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a thread reads and writes. When it is dropped, all of it is handed in.
#[derive(Debug)]
pub struct Hand<'a, R: Root = u64> {
    levels: &'a Levels<R>,
    reads: Option<Chunk>,
    /// Those with room; the last one is written to.
    writes: Vec<Chunk>,
}

impl<R: Root> Hand<'_, R> {
    /// Makes room for so many states of the next level.
    #[inline]
    pub fn make_room(&mut self, states: usize) -> Result<(), Full> {
        while self.writes.iter().map(Chunk::room).sum::<usize>() < states {
            let chunk = self.levels.chunk()?;
            self.writes.insert(0, chunk);
        }
        Ok(())
    }

    /// Adds a state to the next level. There must be room.
    #[inline]
    pub fn push(&mut self, root: R) {
        let chunk = self.writes.last_mut().expect("room was made");
        chunk.push(root.to_u128());
        if chunk.room() == 0 {
            let full = self.writes.pop().expect("it was just written");
            lock(&self.levels.next).push(full);
        }
    }

    /// Adds states of the level at hand to a list, so many at most. None: there are no more, but for what
    /// others are reading.
    #[inline]
    pub fn take(&mut self, most: usize, roots: &mut Vec<R>) -> usize {
        let chunk = match &mut self.reads {
            Some(chunk) => chunk,
            None => {
                if let Some(count) = self.levels.take_piece(most, roots) {
                    return count;
                }
                let Some(chunk) = lock(&self.levels.now).pop() else { return 0 };
                self.reads.insert(chunk)
            }
        };
        let count = chunk.read_some(most, roots);
        if chunk.read == chunk.len {
            lock(&self.levels.free).extend(self.reads.take());
        }
        count
    }

    /// Hands in what was written: before all meet at the end of a level.
    pub fn flush(&mut self) {
        for chunk in self.writes.drain(..) {
            let list = if chunk.len == 0 { &self.levels.free } else { &self.levels.next };
            lock(list).push(chunk);
        }
    }

    /// Hands in what was written and what is left to be read.
    pub fn hand_in(&mut self) {
        self.flush();
        lock(&self.levels.now).extend(self.reads.take());
    }

    /// Gives states of the level at hand back, which were taken and not dealt with.
    pub fn put_back(&mut self, roots: &[R]) -> Result<(), Full> {
        let mut rest = roots;
        while !rest.is_empty() {
            let mut chunk = self.levels.chunk()?;
            let (some, others) = rest.split_at(chunk.room().min(rest.len()));
            some.iter().for_each(|root| chunk.push(root.to_u128()));
            lock(&self.levels.now).push(chunk);
            rest = others;
        }
        Ok(())
    }
}

impl<R: Root> Drop for Hand<'_, R> {
    fn drop(&mut self) {
        self.hand_in();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<R: Root>(levels: &Levels<R>) -> Vec<R> {
        let (mut hand, mut roots) = (levels.hand(), Vec::new());
        while hand.take(7, &mut roots) > 0 {}
        roots.sort_by_key(|root| root.to_u128());
        roots
    }

    fn fill<R: Root>(levels: &Levels<R>, roots: &[R]) {
        let mut hand = levels.hand();
        for some in roots.chunks(300) {
            hand.make_room(some.len()).unwrap();
            some.iter().for_each(|&root| hand.push(root));
        }
    }

    #[test]
    fn what_is_written_is_read_in_all_widths() {
        for bits in 1..=128 {
            let budget = Arc::new(Budget::unlimited());
            let mut random = fastrand::Rng::with_seed(bits.into());
            let levels = Levels::new(bits, 1, &budget);
            let mut most = 0;
            for round in 0..4 {
                let mut roots: Vec<u128> =
                    (0..5_000).map(|_| random.u128(..) & u128::MAX >> (128 - bits)).collect();
                fill(&levels, &roots);
                assert_eq!(levels.advance(), roots.len());
                roots.sort();
                assert_eq!(all(&levels), roots);
                // Chunks are used again.
                assert_eq!(levels.bytes(), budget.taken());
                most = if round == 0 { levels.bytes() } else { most };
                assert_eq!(levels.bytes(), most);
            }
            drop(levels);
            assert_eq!(budget.taken(), 0);
        }
    }

    #[test]
    fn nothing_is_lost_when_hands_are_dropped_or_states_change() {
        let budget = Arc::new(Budget::unlimited());
        let mut levels = Levels::<u64>::new(20, 1, &budget);
        let roots: Vec<u64> = (0..10_000).collect();
        fill(&levels, &roots);
        levels.advance();
        fill(&levels, &[1, 2, 3]);
        let mut some = Vec::new();
        {
            let mut hand = levels.hand();
            assert_eq!(hand.take(100, &mut some), 100);
            hand.put_back(&some).unwrap();
        }
        // Wider ones beside those that are there.
        levels.widen(40);
        fill(&levels, &[1 << 39]);
        let mut next = Vec::new();
        levels.for_each(true, |root| next.push(root));
        assert_eq!(next, [1, 2, 3, 1 << 39]);
        levels.for_each(false, |root| next.push(root));
        assert_eq!(next.len(), 4 + roots.len());
        levels.change(50, |root| root << 10).unwrap();
        assert_eq!(all(&levels), roots.iter().map(|root| root << 10).collect::<Vec<_>>());
        levels.advance();
        assert_eq!(all(&levels), [1 << 10, 2 << 10, 3 << 10, 1 << 49]);
        assert_eq!(levels.bytes(), budget.taken());
    }

    #[test]
    fn threads_share_the_chunks() {
        let budget = Arc::new(Budget::new(1 << 20));
        let levels = Levels::<u64>::new(33, 4, &budget);
        fill(&levels, &(0..50_000).collect::<Vec<_>>());
        levels.advance();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let (mut hand, mut roots) = (levels.hand(), Vec::new());
                    while hand.take(100, &mut roots) > 0 {
                        hand.make_room(roots.len()).unwrap();
                        roots.drain(..).for_each(|root| hand.push(root + 1));
                    }
                });
            }
        });
        assert_eq!(levels.advance(), 50_000);
        assert_eq!(all(&levels), (1..50_001).collect::<Vec<_>>());
    }

    #[test]
    fn the_budget_is_kept() {
        let budget = Arc::new(Budget::new(3 * CHUNK));
        let levels = Levels::<u64>::new(64, 1, &budget);
        let mut hand = levels.hand();
        assert!(hand.make_room(2 * 1022).is_ok());
        assert_eq!(hand.make_room(4 * 1022), Err(Full));
        assert!(budget.taken() <= 3 * CHUNK);
    }
}
