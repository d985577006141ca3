//! `dead` of RDKP §3.1: states are added and asked about, nothing else. So it may forget
//! (a cache) or err (bit-state).

use crate::{Bits, Closed, Evicting, Exact, Fingerprints};
use lariat_core::{Arena, Full, Row};
use std::marker::PhantomData;

/// A set of dead states. `hash` is [`crate::hash::hash`] of the row.
pub trait Dead {
    type Row: Row + ?Sized;

    /// Whether `has` may answer yes about a state that was never added.
    fn is_lossy(&self) -> bool;

    fn add(&mut self, row: &Self::Row, hash: u64);

    fn has(&self, row: &Self::Row, hash: u64) -> bool;

    /// Makes room for so many more. A store of a fixed size always has room, and an exact one makes it
    /// by itself.
    fn make_room(&mut self, _more: usize) -> Result<(), Full> {
        Ok(())
    }

    /// Starts the cache misses of a later `has`.
    fn prefetch(&self, _hash: u64) {}

    /// States that are held. For a store that cannot tell, those that were added.
    fn len(&self) -> u64;

    /// |dead| of RDKP Table 1: one word for each state of an exact store. The size of a
    /// bounded one.
    fn words(&self) -> u64;

    fn bytes(&self) -> usize;
}

/// A set whose type is forgotten: a bounded store answers after a cache miss, beside which a virtual call
/// is nothing, and checks are compiled once for all of them.
impl<R: Row + ?Sized> Dead for Box<dyn Dead<Row = R> + '_> {
    type Row = R;

    fn is_lossy(&self) -> bool {
        (**self).is_lossy()
    }

    fn add(&mut self, row: &R, hash: u64) {
        (**self).add(row, hash);
    }

    fn has(&self, row: &R, hash: u64) -> bool {
        (**self).has(row, hash)
    }

    fn make_room(&mut self, more: usize) -> Result<(), Full> {
        (**self).make_room(more)
    }

    fn prefetch(&self, hash: u64) {
        (**self).prefetch(hash);
    }

    fn len(&self) -> u64 {
        (**self).len()
    }

    fn words(&self) -> u64 {
        (**self).words()
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}

/// All dead states, exactly.
#[derive(Debug)]
pub struct ExactDead<A>(Exact<(), A>);

impl<A: Arena> ExactDead<A> {
    /// `rows` is an empty arena of the right width.
    pub fn new(rows: A) -> Self {
        ExactDead(Exact::new(rows))
    }
}

impl<A: Arena> Dead for ExactDead<A> {
    type Row = A::Row;
    #[inline]
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn add(&mut self, row: &A::Row, hash: u64) {
        self.0.find_or_insert(row, hash);
    }

    #[inline]
    fn has(&self, row: &A::Row, hash: u64) -> bool {
        self.0.probe(row, hash).is_ok()
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        self.0.prefetch_slot(hash);
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn words(&self) -> u64 {
        self.0.len() as u64
    }

    fn bytes(&self) -> usize {
        lariat_core::Intern::bytes(&self.0)
    }
}

/// Dead states as bits (RDKP §6): a new state may be taken for a dead one.
#[derive(Debug)]
pub struct BitDead<R: ?Sized> {
    bits: Bits,
    /// Stands for the seed of the array.
    salt: u64,
    row: PhantomData<fn(&R)>,
}

impl<R: Row + ?Sized> BitDead<R> {
    pub fn new(bits: Bits) -> Self {
        let salt = bits.hash(&[]);
        BitDead { bits, salt, row: PhantomData }
    }

    /// The array's own hash, made from the one at hand instead of the row. Another seed
    /// confuses other states; the finalizer is that of MurmurHash3.
    #[inline]
    fn own(&self, hash: u64) -> u64 {
        let mut h = hash ^ self.salt;
        h = (h ^ h >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        h = (h ^ h >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        h ^ h >> 33
    }
}

impl<R: Row + ?Sized> Dead for BitDead<R> {
    type Row = R;
    #[inline]
    fn is_lossy(&self) -> bool {
        true
    }

    #[inline]
    fn add(&mut self, _row: &R, hash: u64) {
        self.bits.insert_hash(self.own(hash));
    }

    #[inline]
    fn has(&self, _row: &R, hash: u64) -> bool {
        self.bits.contains_hash(self.own(hash))
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        self.bits.prefetch(self.own(hash));
    }

    fn len(&self) -> u64 {
        self.bits.len()
    }

    fn words(&self) -> u64 {
        (self.bits.bytes() / size_of::<u64>()) as u64
    }

    fn bytes(&self) -> usize {
        self.bits.bytes()
    }
}

/// Dead states as fingerprints: a new state may be taken for a dead one.
#[derive(Debug)]
pub struct PrintDead<R: ?Sized> {
    prints: Fingerprints,
    row: PhantomData<fn(&R)>,
}

impl<R: Row + ?Sized> PrintDead<R> {
    pub fn new(prints: Fingerprints) -> Self {
        PrintDead { prints, row: PhantomData }
    }
}

impl<R: Row + ?Sized> Dead for PrintDead<R> {
    type Row = R;
    #[inline]
    fn is_lossy(&self) -> bool {
        true
    }

    fn add(&mut self, row: &R, _hash: u64) {
        self.prints.set_bits(self.prints.hash(row.as_ref()), 1);
    }

    #[inline]
    fn has(&self, row: &R, _hash: u64) -> bool {
        self.prints.bits_of(self.prints.hash(row.as_ref())) != 0
    }

    fn make_room(&mut self, more: usize) -> Result<(), Full> {
        self.prints.make_room(more, usize::MAX)
    }

    fn len(&self) -> u64 {
        self.prints.len() as u64
    }

    fn words(&self) -> u64 {
        self.prints.len() as u64
    }

    fn bytes(&self) -> usize {
        Closed::bytes(&self.prints)
    }
}

/// Dead states in a table of bounded size (state-space caching, RDKP §6): one that was pushed
/// out may be visited again.
#[derive(Debug)]
pub struct CacheDead<A>(Evicting<A>);

impl<A: Arena> CacheDead<A> {
    pub fn new(table: Evicting<A>) -> Self {
        CacheDead(table)
    }
}

impl<A: Arena> Dead for CacheDead<A> {
    type Row = A::Row;
    #[inline]
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn add(&mut self, row: &A::Row, hash: u64) {
        self.0.insert_hashed(row, hash, ());
    }

    #[inline]
    fn has(&self, row: &A::Row, hash: u64) -> bool {
        self.0.get_hashed(row, hash).is_some()
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        self.0.prefetch(hash);
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn words(&self) -> u64 {
        self.0.len() as u64
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash;

    fn confused(seed: u64) -> Vec<u32> {
        let mut dead = BitDead::<[u32; 1]>::new(Bits::new(16, 2, seed));
        for state in 0..6_000_u32 {
            dead.add(&[state], hash(&[state]));
        }
        assert!((0..6_000_u32).all(|state| dead.has(&[state], hash(&[state]))));
        (6_000..60_000_u32).filter(|&state| dead.has(&[state], hash(&[state]))).collect()
    }

    /// (1 - e^(-2·6000/65536))^2 is 2.8 %: the mixed hash is as good as a new one. Two seeds
    /// confuse the same state as rarely as independent ones would.
    #[test]
    fn the_salt_makes_other_functions() {
        let (one, two) = (confused(1), confused(2));
        let rate = one.len() as f64 / 54_000.0;
        assert!((0.025..0.031).contains(&rate), "rate {rate}");
        let both = one.iter().filter(|state| two.contains(state)).count() as f64;
        assert!(both < 54_000.0 * 0.028 * 0.028 * 2.0, "{both} confused by both");
    }
}
