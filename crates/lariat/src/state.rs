//! What a state must be able to do.

use crate::parts::{Parts, Table};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// A state of a model.
///
/// `#[derive(State)]` on a struct keeps each field apart: every different value of a field is kept
/// once, and a state is a row of small numbers. That takes far less memory and time than whole
/// values. Fields may say more:
///
/// - `#[state(each)]`: a `Vec` or an array whose elements are kept apart. Worth it where they
///   change one at a time.
/// - `#[state(nested)]`: a struct that derives `State` itself, taken apart as well.
///
/// An enum, or a struct without named fields, is kept whole, as are all types of the standard
/// library that are states (`u8`, `Option<T>`, `Vec<T>`, `BTreeSet<T>`, tuples …).
///
/// Two states are one if `==` says so. `Eq` and `Hash` must agree, and a value must not change while
/// it is kept. If `==` leaves a field out, the first value met stands for all: that is right only if
/// neither steps nor properties look at the field.
///
/// `HashMap` and `HashSet` have no `Hash`. Use `BTreeMap` and `BTreeSet`: their order is fixed, so
/// runs are the same each time.
///
/// ```compile_fail,E0277
/// #[derive(Clone, Debug, PartialEq, Eq, lariat::State)] // error: the trait `Hash` is not implemented
/// struct Seen {
///     by_name: std::collections::HashMap<String, u32>,
/// }
/// ```
///
/// A type that is none yet is told what to do:
///
/// ```compile_fail,E0277
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// struct Plain(u32);
/// fn state<S: lariat::State>(_: S) {}
/// state(Plain(0)); // error: `Plain` cannot be the state of a model yet
/// ```
///
/// A state cannot borrow:
///
/// ```compile_fail
/// #[derive(Clone, Debug, PartialEq, Eq, Hash, lariat::State)] // error: a state cannot borrow
/// struct Name<'a> {
///     name: &'a str,
/// }
/// ```
///
/// What a field says must be understood:
///
/// ```compile_fail
/// #[derive(Clone, Debug, PartialEq, Eq, Hash, lariat::State)]
/// struct Words {
///     #[state(every)] // error: write `each` or `nested` here
///     words: Vec<u8>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a model yet",
    note = "add `#[derive(State)]`, or `impl State for {Self} {{}}` to keep it whole"
)]
pub trait State: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// How such states are kept.
    #[doc(hidden)]
    fn parts() -> Box<dyn Parts<Self>> {
        Box::new(Table::default())
    }
}

/// What is inside a state: all that a state is, but not necessarily one by itself.
#[doc(hidden)]
pub trait Value: Clone + Eq + Hash + Debug + Send + Sync + 'static {}
impl<T: Clone + Eq + Hash + Debug + Send + Sync + 'static> Value for T {}

macro_rules! whole {
    ($($of:ty),*) => { $(impl State for $of {})* };
}
whole!((), bool, char, String, &'static str);
whole!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

macro_rules! whole_of {
    ($($of:ident: $bound:path),*) => { $(impl<T: Value + $bound> State for $of<T> {})* };
}
whole_of!(Vec: Clone, Option: Clone, VecDeque: Clone, BTreeSet: Ord, Box: Clone, Arc: Clone);

impl<T: Value, const N: usize> State for [T; N] {}
impl<K: Value + Ord, V: Value> State for BTreeMap<K, V> {}

macro_rules! tuples {
    ($($name:ident)*) => { impl<$($name: Value),*> State for ($($name,)*) {} };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
