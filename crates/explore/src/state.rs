//! A state, of which only the subject knows more: bytes of a model in Promela, a value of a type in Rust.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A state of a subject. Cheap to clone.
#[derive(Clone)]
pub struct State {
    value: Arc<dyn Opaque>,
    bytes: usize,
}

trait Opaque: Any + Send + Sync {
    fn is_same(&self, other: &dyn Any) -> bool;
    fn feed(&self, hasher: &mut dyn Hasher);
    fn any(&self) -> &dyn Any;
}

impl<T: Eq + Hash + Any + Send + Sync> Opaque for T {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

impl State {
    /// A state that takes about so many bytes.
    pub fn new<T: Eq + Hash + Any + Send + Sync>(value: T, bytes: usize) -> State {
        State { value: Arc::new(value), bytes }
    }

    /// What it is. All states of a subject are of one type.
    pub fn of<T: Any>(&self) -> &T {
        (*self.value).any().downcast_ref().expect("a state of this subject")
    }

    /// About how much it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        Arc::ptr_eq(&self.value, &other.value) || self.value.is_same((*other.value).any())
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.value.feed(hasher);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a state of {} bytes", self.bytes)
    }
}
