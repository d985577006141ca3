//! A struct inside a struct, taken apart as well.

use super::{Parts, Word};
use crate::State;

/// The parts of a state of its own.
pub struct Nested<S: State>(Box<dyn Parts<S>>);

impl<S: State> Default for Nested<S> {
    fn default() -> Self {
        Nested(S::parts())
    }
}

impl<S: State> Parts<S> for Nested<S> {
    fn width(&self) -> usize {
        self.0.width()
    }
    fn fit(&mut self, value: &S) {
        self.0.fit(value);
    }
    fn settle(&mut self) {
        self.0.settle();
    }
    fn split(&mut self, value: &S, row: &mut [Word]) -> bool {
        self.0.split(value, row)
    }
    fn split_changes(&mut self, value: &mut S, old: &S, row: &mut [Word]) -> bool {
        // Most steps leave most of the parts alone.
        *value == *old || self.0.split_changes(value, old, row)
    }
    fn load(&self, values: [&mut S; 2], now: &[Word], row: &[Word]) {
        if now != row {
            self.0.load(values, now, row);
        }
    }
    fn make(&self, row: &[Word]) -> S {
        self.0.make(row)
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
    fn counts(&self, name: &str, out: &mut Vec<(String, usize)>) {
        let mut inner = Vec::new();
        self.0.counts("", &mut inner);
        out.extend(inner.into_iter().map(|(of, count)| (format!("{name}.{of}"), count)));
    }
}
