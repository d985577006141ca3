//! A sequence, taken apart into its elements: a word for its length and one for each element. All
//! elements share one table.

use super::{Parts, Table, Word};
use std::hash::Hash;

/// What `#[state(each)]` can be said of: vectors and arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be taken apart by `#[state(each)]`",
    note = "that is for `Vec` and arrays; without it the field is kept whole"
)]
pub trait Sequence {
    /// An element.
    type Item: Hash + Eq + Clone + Send;
    /// The elements.
    fn items(&self) -> &[Self::Item];
    /// The elements, to be replaced one by one.
    fn items_mut(&mut self) -> &mut [Self::Item];
    /// A sequence of these elements, as many as a row has words for.
    fn of(items: impl Iterator<Item = Self::Item>) -> Self;
}

impl<T: Hash + Eq + Clone + Send> Sequence for Vec<T> {
    type Item = T;
    #[inline]
    fn items(&self) -> &[T] {
        self
    }
    #[inline]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
    fn of(items: impl Iterator<Item = T>) -> Self {
        items.collect()
    }
}

impl<T: Hash + Eq + Clone + Send, const N: usize> Sequence for [T; N] {
    type Item = T;
    #[inline]
    fn items(&self) -> &[T] {
        self
    }
    #[inline]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
    fn of(mut items: impl Iterator<Item = T>) -> Self {
        std::array::from_fn(|_| items.next().expect("a row has a word for each element"))
    }
}

/// The elements of sequences of type `F`.
pub struct Each<F: Sequence> {
    table: Table<F::Item>,
    /// The longest sequence that a row has room for, and the longest that was met.
    room: usize,
    longest: usize,
}

impl<F: Sequence> Default for Each<F> {
    fn default() -> Self {
        Each { table: Table::default(), room: 0, longest: 0 }
    }
}

impl<F: Sequence> Each<F> {
    /// What there is beside the elements that both sequences have.
    fn split_other_length(&mut self, value: &mut F, old: &F, row: &mut [Word]) {
        let (items, before) = (value.items(), old.items());
        row[0] = items.len() as Word;
        for (word, item) in row[1..].iter_mut().zip(items).skip(before.len()) {
            *word = self.table.number(item);
        }
        // Behind the end there are zeros, so that equal states are equal rows.
        if items.len() < before.len() {
            row[1 + items.len()..=before.len()].fill(0);
        }
        *value = F::of(before.iter().cloned());
    }
}

impl<F: Sequence> Parts<F> for Each<F> {
    #[inline]
    fn width(&self) -> usize {
        1 + self.room
    }
    fn fit(&mut self, value: &F) {
        self.longest = self.longest.max(value.items().len());
    }
    fn settle(&mut self) {
        self.room = self.longest;
    }
    fn split(&mut self, value: &F, row: &mut [Word]) -> bool {
        let items = value.items();
        if items.len() > self.room {
            return false;
        }
        row[0] = items.len() as Word;
        row[1..].fill(0);
        for (word, item) in row[1..].iter_mut().zip(items) {
            *word = self.table.number(item);
        }
        true
    }
    #[inline]
    fn split_changes(&mut self, value: &mut F, old: &F, row: &mut [Word]) -> bool {
        let before = old.items();
        let len = value.items().len();
        if len > self.room {
            return false;
        }
        for (item, (old, word)) in
            value.items_mut().iter_mut().zip(before.iter().zip(&mut row[1..]))
        {
            if item != old {
                *word = self.table.number(item);
                item.clone_from(old);
            }
        }
        if len != before.len() {
            self.split_other_length(value, old, row);
        }
        true
    }
    #[inline]
    fn load(&self, values: [&mut F; 2], now: &[Word], row: &[Word]) {
        if now[0] != row[0] {
            for value in values {
                *value = self.make(row);
            }
            return;
        }
        let [one, other] = values.map(|value| value.items_mut());
        let words = now[1..].iter().zip(&row[1..]);
        for ((one, other), (now, &word)) in one.iter_mut().zip(other).zip(words) {
            if *now != word {
                one.clone_from(self.table.get(word));
                other.clone_from(one);
            }
        }
    }
    fn make(&self, row: &[Word]) -> F {
        F::of(row[1..][..row[0] as usize].iter().map(|&word| self.table.get(word).clone()))
    }
    fn bytes(&self) -> usize {
        self.table.bytes()
    }
    fn counts(&self, name: &str, out: &mut Vec<(String, usize)>) {
        out.push((format!("{name}[]"), self.table.len()));
    }
}
