//! The different values of a part, numbered from 0 in the order in which they are met.

use super::{Parts, Word};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// Values by number and numbers by value.
pub struct Table<T> {
    values: Vec<T>,
    numbers: HashTable<Word>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { values: Vec::new(), numbers: HashTable::new() }
    }
}

#[inline]
fn hash<T: Hash>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}

impl<T: Hash + Eq> Table<T> {
    /// The number of a value, a new one if it was not met before.
    #[inline]
    pub fn number(&mut self, value: &T) -> Word
    where
        T: Clone,
    {
        let Table { values, numbers } = self;
        let is_it = |&number: &Word| values[number as usize] == *value;
        match numbers.entry(hash(value), is_it, |&number| hash(&values[number as usize])) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = next(values);
                // If the value cannot be cloned, nothing has happened.
                let value = value.clone();
                free.insert(number);
                values.push(value);
                number
            }
        }
    }

    /// The value of a number.
    #[inline]
    pub fn get(&self, number: Word) -> &T {
        &self.values[number as usize]
    }

    /// How many different values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Bytes, without what values have on the heap.
    pub fn bytes(&self) -> usize {
        // A number and a byte for each slot.
        self.values.capacity() * size_of::<T>() + self.numbers.capacity() * (size_of::<Word>() + 1)
    }
}

fn next<T>(values: &[T]) -> Word {
    Word::try_from(values.len()).expect("memory ends before numbers do")
}

impl<T: Hash + Eq + Clone + Send> Parts<T> for Table<T> {
    #[inline]
    fn width(&self) -> usize {
        1
    }
    fn fit(&mut self, _: &T) {}
    fn settle(&mut self) {}
    #[inline]
    fn split(&mut self, value: &T, row: &mut [Word]) -> bool {
        row[0] = self.number(value);
        true
    }
    #[inline]
    fn split_changes(&mut self, value: &mut T, old: &T, row: &mut [Word]) -> bool {
        if value != old {
            row[0] = self.number(value);
            value.clone_from(old);
        }
        true
    }
    #[inline]
    fn load(&self, values: [&mut T; 2], now: &[Word], row: &[Word]) {
        if now[0] != row[0] {
            for value in values {
                value.clone_from(self.get(row[0]));
            }
        }
    }
    fn make(&self, row: &[Word]) -> T {
        self.get(row[0]).clone()
    }
    fn bytes(&self) -> usize {
        self.bytes()
    }
    fn counts(&self, name: &str, out: &mut Vec<(String, usize)>) {
        out.push((name.to_owned(), self.len()));
    }
}
