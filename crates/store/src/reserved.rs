//! An array that grows in place: address space is reserved once, memory is taken page by page
//! when it is first written. Growing copies nothing, so no moment needs old and new at once.
//! Huge pages where the system gives them: a random access then costs one cache miss and not a
//! walk of the page tables as well.

use bytemuck::{NoUninit, Zeroable};
use lariat_core::Full;
use memmap2::{Advice, MmapMut, MmapOptions};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Address space for each array, if the system gives so much.
const ADDRESSES: usize = 1 << 36;
/// What a small array must have.
const FEWEST: usize = 1 << 16;
/// The start of an array is on plain pages: a huge one takes long to clear.
const PLAIN: usize = 1 << 21;

/// A growing array of zeros, as far as nothing else was written.
pub(crate) struct Reserved<T> {
    map: MmapMut,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: NoUninit + Zeroable> Reserved<T> {
    pub(crate) fn new() -> Self {
        // Where addresses are scarce, the first array must not take them all.
        match map(ADDRESSES).or_else(|_| map(FEWEST)) {
            Ok(map) => Reserved { map, len: 0, elements: PhantomData },
            Err(error) => panic!("no memory at all: {error}"),
        }
    }

    /// Makes the array longer.
    pub(crate) fn grow(&mut self, len: usize) -> Result<(), Full> {
        debug_assert!(len >= self.len);
        self.have_addresses(len)?;
        self.len = len;
        Ok(())
    }

    /// Makes sure that the array can grow to this length.
    #[inline]
    pub(crate) fn have_addresses(&mut self, len: usize) -> Result<(), Full> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Full)?;
        if bytes > self.map.len() {
            // Only where the system is stingy with addresses: move to a larger place.
            let mut larger = map(bytes.checked_next_power_of_two().ok_or(Full)?).or(Err(Full))?;
            let used = self.len * size_of::<T>();
            larger[..used].copy_from_slice(&self.map[..used]);
            self.map = larger;
        }
        Ok(())
    }

    /// Where it begins, until it grows.
    pub(crate) fn base(&mut self) -> *mut T {
        self.map.as_mut_ptr().cast()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

fn map(bytes: usize) -> std::io::Result<MmapMut> {
    let map = MmapOptions::new().len(bytes).no_reserve_swap().map_anon()?;
    if bytes > PLAIN {
        // Refused by systems without huge pages; then plain ones serve.
        let _ = map.advise_range(Advice::HugePage, PLAIN, bytes - PLAIN);
    }
    Ok(map)
}

impl<T: NoUninit + Zeroable> Deref for Reserved<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is at least `len` elements long (checked by `grow`), starts at a page
        // and so is aligned, and holds zeros, which are a `T`, or what was written as a `T`. No
        // byte of a `T` is undefined, so the bytes may be copied when the array moves.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

impl<T: NoUninit + Zeroable> DerefMut for Reserved<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` makes the access unique.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.len) }
    }
}

impl<T> std::fmt::Debug for Reserved<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reserved({})", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_in_place_with_zeros() {
        let mut array = Reserved::<u64>::new();
        let mut len = 1;
        while len < 1 << 20 {
            let old = array.len();
            array.grow(len).unwrap();
            assert!(array[old..].iter().all(|&value| value == 0));
            array[len - 1] = len as u64;
            len = len * 3 / 2 + 1;
        }
        assert_eq!(array[0], 1);
        assert_eq!(array.bytes(), array.len() * 8);
    }

    #[test]
    fn moves_when_the_addresses_run_out() {
        let map = map(FEWEST).unwrap();
        let mut array = Reserved::<u64> { map, len: 0, elements: PhantomData };
        array.grow(FEWEST / 8).unwrap();
        array[7] = 11;
        array.grow(FEWEST).unwrap();
        assert_eq!((array[7], array[FEWEST - 1]), (11, 0));
    }
}
