//! Whether what clients saw can be explained by operations one after the other.
//!
//! Herlihy and Wing, *Linearizability: a correctness condition for concurrent objects*, 1990; Lamport, *How to make a
//! multiprocessor computer that correctly executes multiprocess programs*, 1979. Operations that have not
//! returned may have had their effect, or not.
//!
//! A history judges itself when an operation returns. Where histories are part of a state that is kept
//! by field or by actors, that happens once for each different history.

use crate::actor::Id;
use crate::state::Value;
use std::collections::BTreeMap;

/// What operations do, one at a time.
pub trait Object: Value {
    /// An operation.
    type Op: Value;
    /// What it returns.
    type Ret: Value;
    /// Does it.
    fn apply(&mut self, op: &Self::Op) -> Self::Ret;
}

/// Which orders explain what was seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Consistency {
    /// Each client's operations keep their order, and whatever had returned before another began comes
    /// before it.
    Linearizable,
    /// Each client's operations keep their order.
    Sequential,
}

/// How many operations of other clients had returned when an operation began.
type Before = Vec<(Id, usize)>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Client<O: Object> {
    done: Vec<(Before, O::Op, O::Ret)>,
    open: Option<(Before, O::Op)>,
}

/// The operations so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct History<O: Object> {
    start: O,
    consistency: Consistency,
    clients: BTreeMap<Id, Client<O>>,
    is_consistent: bool,
}

impl<O: Object> History<O> {
    /// No operation yet, on an object that begins like this.
    pub fn new(start: O, consistency: Consistency) -> Self {
        History { start, consistency, clients: BTreeMap::new(), is_consistent: true }
    }

    /// Whether all that returned can be explained.
    pub fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    /// How many operations have returned.
    pub fn returned(&self) -> usize {
        self.clients.values().map(|client| client.done.len()).sum()
    }

    /// A client begins an operation.
    ///
    /// # Panics
    /// If one of its operations has not returned: clients do one thing at a time.
    pub fn invoke(&mut self, client: Id, op: O::Op) {
        let others = self.clients.iter().filter(|(id, _)| **id != client);
        let before = match self.consistency {
            Consistency::Linearizable => others
                .filter(|(_, other)| !other.done.is_empty())
                .map(|(&id, other)| (id, other.done.len()))
                .collect(),
            Consistency::Sequential => Vec::new(),
        };
        let own = self.clients.entry(client).or_insert(Client { done: Vec::new(), open: None });
        assert!(own.open.is_none(), "client {client} has not finished its last operation");
        own.open = Some((before, op));
        if !self.is_consistent {
            // The new operation may explain what was seen before.
            self.judge();
        }
    }

    /// The operation that a client has begun returns.
    ///
    /// # Panics
    /// If there is none.
    pub fn returns(&mut self, client: Id, ret: O::Ret) {
        let own = self.clients.get_mut(&client);
        let open = own.and_then(|own| own.open.take().map(|open| (own, open)));
        let Some((own, (before, op))) = open else { panic!("client {client} has begun nothing") };
        own.done.push((before, op, ret));
        self.judge();
    }

    /// What is not linearizable never becomes so again: whatever begins later comes later. Where only the
    /// order of each client counts, a later operation may come first.
    fn judge(&mut self) {
        let is_final = !self.is_consistent && self.consistency == Consistency::Linearizable;
        self.is_consistent = !is_final && self.explain();
    }

    fn explain(&self) -> bool {
        let clients: Vec<(Id, &Client<O>)> =
            self.clients.iter().map(|(&id, of)| (id, of)).collect();
        let mut taken = vec![0; clients.len()];
        extend(&clients, &self.start, &mut taken)
    }
}

/// Whether what is left can be put in an order: of each client, so many operations came already. An open
/// one counts as the one behind the last.
fn extend<O: Object>(clients: &[(Id, &Client<O>)], object: &O, taken: &mut [usize]) -> bool {
    if clients.iter().zip(&*taken).all(|((_, client), &taken)| taken >= client.done.len()) {
        return true;
    }
    for at in 0..clients.len() {
        let client = clients[at].1;
        let (before, op, expected) = match (client.done.get(taken[at]), &client.open) {
            (Some((before, op, ret)), _) => (before, op, Some(ret)),
            (None, Some((before, op))) if taken[at] == client.done.len() => (before, op, None),
            _ => continue,
        };
        let is_early = before.iter().any(|&(id, count)| {
            clients.iter().zip(&*taken).any(|((other, _), &taken)| *other == id && taken < count)
        });
        if is_early {
            continue;
        }
        let mut next = object.clone();
        let ret = next.apply(op);
        if expected.is_some_and(|expected| *expected != ret) {
            continue;
        }
        taken[at] += 1;
        if extend(clients, &next, taken) {
            return true;
        }
        taken[at] -= 1;
    }
    false
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Register<T>(pub T);

/// What is done with a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RegisterOp<T> {
    /// Returns `None`.
    Write(T),
    /// Returns the value.
    Read,
}

impl<T: Value> Object for Register<T> {
    type Op = RegisterOp<T>;
    type Ret = Option<T>;
    fn apply(&mut self, op: &RegisterOp<T>) -> Option<T> {
        match op {
            RegisterOp::Write(value) => {
                self.0 = value.clone();
                None
            }
            RegisterOp::Read => Some(self.0.clone()),
        }
    }
}
