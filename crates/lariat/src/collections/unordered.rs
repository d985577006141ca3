//! A `Hash` for collections that have none, because their order is another one each time.

use crate::state::{State, Value};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// A `HashMap` or `HashSet` inside a state.
///
/// Two are equal if they hold the same, and their hash is of all elements, whatever their order, and of their number: two
/// of them side by side, `{1}, {}` and `{}, {1}`, are two states.
///
/// Steps must not depend on the order of elements, and `HashMap` has another one in each process unless its hasher is a
/// fixed one: states and verdicts are the same each time, but the runs that are shown need not be. Where
/// that matters, or where there are few elements, a `BTreeMap` or a [`SmallSet`](super::SmallSet) is better.
///
/// ```
/// use lariat::collections::Unordered;
/// use std::collections::HashMap;
///
/// #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, lariat::State)]
/// struct Seen {
///     by_name: Unordered<HashMap<String, u32>>,
/// }
/// let mut seen = Seen::default();
/// seen.by_name.insert("a".to_owned(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unordered<C>(pub C);

impl<C> Deref for Unordered<C> {
    type Target = C;
    fn deref(&self) -> &C {
        &self.0
    }
}

impl<C> DerefMut for Unordered<C> {
    fn deref_mut(&mut self) -> &mut C {
        &mut self.0
    }
}

fn hash_all<T: Hash>(elements: impl ExactSizeIterator<Item = T>, to: &mut impl Hasher) {
    let one = |element: T| {
        let mut hasher = DefaultHasher::new();
        element.hash(&mut hasher);
        hasher.finish()
    };
    elements.len().hash(to);
    elements.map(one).fold(0, u64::wrapping_add).hash(to);
}

impl<K: Hash, V: Hash, B> Hash for Unordered<HashMap<K, V, B>> {
    fn hash<H: Hasher>(&self, to: &mut H) {
        hash_all(self.0.iter(), to);
    }
}

impl<T: Hash, B> Hash for Unordered<HashSet<T, B>> {
    fn hash<H: Hasher>(&self, to: &mut H) {
        hash_all(self.0.iter(), to);
    }
}

impl<K: Value, V: Value, B> State for Unordered<HashMap<K, V, B>> where
    B: BuildHasher + Clone + Send + Sync + 'static
{
}

impl<T: Value, B> State for Unordered<HashSet<T, B>> where
    B: BuildHasher + Clone + Send + Sync + 'static
{
}
