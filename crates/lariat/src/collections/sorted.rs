//! Sets and bags as sorted vectors.

use crate::state::{State, Value};
use std::fmt::{self, Debug};
use std::ops::Deref;

macro_rules! sorted {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name<T>(Vec<T>);

        impl<T> $name<T> {
            /// An empty one.
            pub const fn new() -> Self {
                $name(Vec::new())
            }
        }

        impl<T: Ord> $name<T> {
            /// Whether it is there.
            pub fn contains(&self, value: &T) -> bool {
                self.0.binary_search(value).is_ok()
            }

            /// Takes one out. Whether it was there.
            pub fn remove(&mut self, value: &T) -> bool {
                let found = self.0.binary_search(value);
                found.map(|at| self.0.remove(at)).is_ok()
            }

            /// Removes all.
            pub fn clear(&mut self) {
                self.0.clear();
            }
        }

        /// A sorted slice.
        impl<T> Deref for $name<T> {
            type Target = [T];
            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        impl<T: Clone> Clone for $name<T> {
            fn clone(&self) -> Self {
                $name(self.0.clone())
            }
            /// Into the room that is there.
            fn clone_from(&mut self, source: &Self) {
                self.0.clone_from(&source.0);
            }
        }

        impl<T> Default for $name<T> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<T: Debug> Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(&self.0).finish()
            }
        }

        impl<T: Ord> Extend<T> for $name<T> {
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                for value in values {
                    self.insert(value);
                }
            }
        }

        impl<T: Ord> FromIterator<T> for $name<T> {
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                let mut all = Self::new();
                all.extend(values);
                all
            }
        }

        impl<'a, T> IntoIterator for &'a $name<T> {
            type Item = &'a T;
            type IntoIter = std::slice::Iter<'a, T>;
            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }

        impl<T: Value + Ord> State for $name<T> {}
    };
}

sorted!(
    /// A bag: what was put in twice is there twice.
    ///
    /// ```
    /// use lariat::collections::Bag;
    /// let mut network: Bag<&str> = ["ping", "pong", "ping"].into_iter().collect();
    /// assert_eq!((network.count(&"ping"), network.len()), (2, 3));
    /// assert!(network.remove(&"ping") && network.contains(&"ping"));
    /// assert_eq!(format!("{network:?}"), r#"{"ping", "pong"}"#);
    /// ```
    Bag
);

sorted!(
    /// A set.
    ///
    /// ```
    /// use lariat::collections::SmallSet;
    /// let mut votes = SmallSet::new();
    /// assert!(votes.insert(2) && votes.insert(0) && !votes.insert(2));
    /// assert_eq!(votes[..], [0, 2]);
    /// assert!(votes.remove(&0) && !votes.remove(&0));
    /// ```
    SmallSet
);

impl<T: Ord> Bag<T> {
    /// Puts one in.
    pub fn insert(&mut self, value: T) {
        let at = self.0.partition_point(|other| *other <= value);
        self.0.insert(at, value);
    }

    /// How often it is there.
    pub fn count(&self, value: &T) -> usize {
        let from = self.0.partition_point(|other| other < value);
        self.0[from..].partition_point(|other| other <= value)
    }
}

impl<T: Ord> SmallSet<T> {
    /// Puts it in. Whether it was not there before.
    pub fn insert(&mut self, value: T) -> bool {
        let found = self.0.binary_search(&value);
        found.map_err(|at| self.0.insert(at, value)).is_err()
    }
}
