//! Checks that several threads do together, depth first.
//!
//! Each thread has a worker, which goes its own way through the same graph; they help each other by what they leave in the payloads of the states, or beside them.
//!
//! - [`cndfs`]: a nested search, for acceptance by states
//! - [`ufscc`]: by component, for any number of marks
//!
//! A worker's `run` ends with what it has found, or with a reason to stop. If all threads go on after that, so does the worker: what it has for itself is changed only
//! after everything that may stop it.

pub mod cndfs;
pub mod ufscc;

use lariat_core::Marks;

/// What a thread sees of the graph. A state is a number of 64 bits.
pub trait Ground {
    /// Why it cannot go on.
    type Stop;

    /// How many initial states there are.
    fn initial_count(&self) -> usize;

    /// One of them.
    fn initial(&self, at: usize) -> u64;

    /// Adds the successors of a state to a list, with the marks of the edges.
    fn successors(&mut self, state: u64, out: &mut Vec<(u64, Marks)>) -> Result<(), Self::Stop>;

    /// Whether a state is accepting, where that is asked of states.
    fn is_accepting(&self, state: u64) -> bool;

    /// The payloads of states: of those that were never changed there is none.
    fn payloads(&mut self, states: &[u64], each: impl FnMut(usize, Option<u64>));

    /// Changes the payload of each of these states in one step. `change` may be asked several times, `told` hears once what was there before. If there is an error, nothing was
    /// changed.
    fn update(
        &mut self,
        states: &[u64],
        change: impl Fn(usize, Option<u64>) -> u64,
        told: impl FnMut(usize, Option<u64>),
    ) -> Result<(), Self::Stop>;

    /// Lets others do what all must do together. To be called by who waits.
    fn wait(&mut self) -> Result<(), Self::Stop>;

    /// The bytes that the worker takes.
    fn reserve(&mut self, bytes: usize) -> Result<(), Self::Stop>;

    /// Bytes more of what all workers share.
    fn take(&mut self, bytes: usize) -> Result<(), Self::Stop>;
}

/// In which order a worker looks at successors: another one for each, so that they go different ways. The first worker takes them as they come.
#[derive(Clone, Debug)]
struct Order {
    is_given: bool,
    random: u64,
}

impl Order {
    fn of(worker: usize) -> Self {
        let random = (worker as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Order { is_given: worker == 0, random }
    }

    /// Puts a list into the order from its end on.
    fn arrange<T>(&mut self, list: &mut [T]) {
        if self.is_given {
            list.reverse();
            return;
        }
        // Fisher and Yates, with xorshift.
        for end in (1..list.len()).rev() {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            list.swap(end, (self.random % (end as u64 + 1)) as usize);
        }
    }
}

/// The initial states in a worker's order: all of them, from another one on for each worker.
#[derive(Clone, Debug)]
struct Initial {
    worker: usize,
    done: usize,
}

impl Initial {
    fn of(worker: usize) -> Self {
        Initial { worker, done: 0 }
    }

    /// The next one, until it is dealt with.
    fn next<G: Ground>(&self, ground: &G) -> Option<u64> {
        let count = ground.initial_count();
        let first = self.worker.wrapping_mul(0x9E37_79B9);
        (self.done < count).then(|| ground.initial((first % count + self.done) % count))
    }
}

/// Room for so many more in a list: how many bytes it will have more than now.
fn growth<T>(list: &Vec<T>, more: usize) -> usize {
    match list.capacity() - list.len() >= more {
        true => 0,
        // As `Vec` does.
        false => (list.capacity().max(more) * size_of::<T>()).max(64),
    }
}

fn bytes<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
