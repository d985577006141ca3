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
use std::fmt;

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

/// One operation of a client.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Operation<O: Object> {
    client: u32,
    /// How many numbers of [`History::before`] are about it.
    before: u32,
    op: O::Op,
    /// None while it has not returned.
    ret: Option<O::Ret>,
}

/// The operations so far. There may be as many histories as states, so one is two plain lists.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct History<O: Object> {
    start: O,
    consistency: Consistency,
    is_consistent: bool,
    /// By client, and then in the order in which they began.
    operations: Vec<Operation<O>>,
    /// Of each operation in turn: what had returned when it began.
    before: Vec<Before>,
}

/// A client, and how many of its operations had returned.
type Before = (u32, u32);

impl<O: Object> History<O> {
    /// No operation yet, on an object that begins like this.
    pub fn new(start: O, consistency: Consistency) -> Self {
        let (operations, before) = (Vec::new(), Vec::new());
        History { start, consistency, is_consistent: true, operations, before }
    }

    /// Whether all that returned can be explained.
    pub fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    /// How many operations have returned.
    pub fn returned(&self) -> usize {
        self.operations.iter().filter(|operation| operation.ret.is_some()).count()
    }

    /// The operations of each client.
    fn clients(&self) -> impl Iterator<Item = &[Operation<O>]> {
        self.operations.chunk_by(|a, b| a.client == b.client)
    }

    /// A client begins an operation.
    ///
    /// # Panics
    /// If one of its operations has not returned: clients do one thing at a time.
    pub fn invoke(&mut self, client: Id, op: O::Op) {
        let id = number(client);
        let before: Vec<Before> = match self.consistency {
            Consistency::Linearizable => {
                let returned = |of: &[Operation<O>]| {
                    let count = of.iter().filter(|operation| operation.ret.is_some()).count();
                    (of[0].client, number(count))
                };
                let all = self.clients().map(returned);
                all.filter(|&(other, count)| other != id && count > 0).collect()
            }
            Consistency::Sequential => Vec::new(),
        };
        let at = self.operations.partition_point(|operation| operation.client <= id);
        let last = self.operations[..at].last().filter(|last| last.client == id);
        let is_free = last.is_none_or(|last| last.ret.is_some());
        assert!(is_free, "client {client} has not finished its last operation");
        let from: u32 = self.operations[..at].iter().map(|operation| operation.before).sum();
        let new = Operation { client: id, before: number(before.len()), op, ret: None };
        self.operations.reserve_exact(1);
        self.operations.insert(at, new);
        self.before.reserve_exact(before.len());
        self.before.splice(from as usize..from as usize, before);
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
        let id = number(client);
        let mut open = self.operations.iter_mut().filter(|operation| operation.client == id);
        match open.find(|operation| operation.ret.is_none()) {
            Some(open) => open.ret = Some(ret),
            None => panic!("client {client} has begun nothing"),
        }
        self.judge();
    }

    /// What is not linearizable never becomes so again: whatever begins later comes later. Where only the
    /// order of each client counts, a later operation may come first.
    fn judge(&mut self) {
        let is_final = !self.is_consistent && self.consistency == Consistency::Linearizable;
        self.is_consistent = !is_final && self.explain();
    }

    fn explain(&self) -> bool {
        let mut before = &self.before[..];
        let clients = self.clients().map(|of| Client {
            id: of[0].client,
            operations: of
                .iter()
                .map(|operation| {
                    let (own, rest) = before.split_at(operation.before as usize);
                    before = rest;
                    (own, operation)
                })
                .collect(),
            taken: 0,
        });
        let mut clients: Vec<Client<'_, O>> = clients.collect();
        extend(&mut clients, &self.start)
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).expect("numbers of clients and operations have 32 bits")
}

impl<O: Object> fmt::Debug for Operation<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (&self.op, &self.ret).fmt(f)
    }
}

impl<O: Object> fmt::Debug for History<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clients: BTreeMap<u32, &[Operation<O>]> =
            self.clients().map(|of| (of[0].client, of)).collect();
        let mut shown = f.debug_struct("History");
        shown.field("clients", &clients).field("is_consistent", &self.is_consistent).finish()
    }
}

/// A client while an order is looked for: so many of its operations came already. One that has not returned is the
/// last.
struct Client<'h, O: Object> {
    id: u32,
    operations: Vec<(&'h [Before], &'h Operation<O>)>,
    taken: usize,
}

/// Whether what is left can be put in an order.
fn extend<O: Object>(clients: &mut [Client<'_, O>], object: &O) -> bool {
    let is_done = |client: &Client<'_, O>| {
        client.operations.get(client.taken).is_none_or(|(_, operation)| operation.ret.is_none())
    };
    if clients.iter().all(is_done) {
        return true;
    }
    for at in 0..clients.len() {
        let Client { operations, taken, .. } = &clients[at];
        let Some(&(before, operation)) = operations.get(*taken) else { continue };
        let is_early = before.iter().any(|&(id, count)| {
            clients.iter().any(|other| other.id == id && other.taken < count as usize)
        });
        if is_early {
            continue;
        }
        let mut next = object.clone();
        let ret = next.apply(&operation.op);
        if operation.ret.as_ref().is_some_and(|expected| *expected != ret) {
            continue;
        }
        clients[at].taken += 1;
        if extend(clients, &next) {
            return true;
        }
        clients[at].taken -= 1;
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
