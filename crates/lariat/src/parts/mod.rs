//! States as rows of numbers: each different value of a part is kept once, typed, and a row holds the
//! numbers of its parts. Exact: two rows are equal exactly if the states are.
//!
//! - `table`: the values of one part, numbered
//! - `each`: a sequence, a number for each of its elements
//! - `nested`: a struct inside a struct
//!
//! To load a state is to replace those parts that differ from the state that was loaded before, so
//! most of it is never cloned; to keep a successor is to number those parts that the step has changed.

mod each;
mod nested;
mod table;

pub use each::{Each, Sequence};
pub use lariat_core::Word;
pub use nested::Nested;
pub use table::Table;

pub use crate::state::Value;

/// How values of a type become words of a row, and come back. `#[derive(State)]` writes an
/// implementation for a struct out of those of its fields.
pub trait Parts<S>: Send {
    /// Words of a row.
    fn width(&self) -> usize;

    /// Asks for room for such a value. Rows have it after [`Parts::settle`].
    fn fit(&mut self, value: &S);

    /// Rows are as wide from now on as was asked for.
    fn settle(&mut self);

    /// Writes the words of a value. False if the row is too narrow.
    fn split(&mut self, value: &S, row: &mut [Word]) -> bool;

    /// The same; the words of `old` are there already, and `value` is made equal to it again. If the
    /// row is too narrow, `value` has still what needs more room.
    fn split_changes(&mut self, value: &mut S, old: &S, row: &mut [Word]) -> bool;

    /// Makes both values, whose words are `now`, the one with the words `row`.
    fn load(&self, values: [&mut S; 2], now: &[Word], row: &[Word]);

    /// The value with these words.
    fn make(&self, row: &[Word]) -> S;

    /// Bytes of the tables, without what values have on the heap.
    fn bytes(&self) -> usize;

    /// The number of different values of each part, under the name of the part.
    fn counts(&self, name: &str, out: &mut Vec<(String, usize)>);
}
