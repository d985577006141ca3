//! Collections for states: small, cheap to copy into each other, equal whatever the order in which they were filled.
//!
//! A step is made in a copy of the state, so a collection in a state is copied far more often than it is searched. A sorted
//! `Vec` is copied without an allocation (`clone_from`), a tree is not.
//!
//! | here | stands for | is |
//! |---|---|---|
//! | [`Bag`] | messages on their way | a sorted `Vec`, elements may be there more than once |
//! | [`SmallSet`] | `BTreeSet` | a sorted `Vec` |
//! | [`BitSet`] | sets of numbers below 64 | one word |
//! | [`Unordered`] | `HashMap`, `HashSet` | a wrapper that gives them a `Hash` |

mod bits;
mod sorted;
mod unordered;

pub use bits::BitSet;
pub use sorted::{Bag, SmallSet};
pub use unordered::Unordered;
