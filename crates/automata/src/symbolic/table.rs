//! The two tables of a BDD manager: nodes by content, and results of operations.

use super::bdd::{Func, Inner, Var};

#[inline]
fn mix(a: u32, b: u32, c: u32) -> usize {
    let x = (a as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ ((b as u64) << 32 | c as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ (x >> 32)) as usize
}

/// Open addressing with linear probing; an entry is a node's index, 0 when free (node 0 is a
/// constant and is never looked up).
#[derive(Clone)]
pub(super) struct UniqueTable {
    slots: Vec<u32>,
    used: usize,
}

impl UniqueTable {
    pub(super) fn new() -> Self {
        UniqueTable { slots: vec![0; 1 << 9], used: 0 }
    }

    pub(super) fn find_or_insert(&mut self, nodes: &mut Vec<Inner>, node: Inner) -> u32 {
        if self.used * 2 >= self.slots.len() {
            self.grow(nodes);
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(node.var, node.low, node.high) & mask;
        loop {
            match self.slots[at] {
                0 => break,
                index if nodes[index as usize] == node => return index,
                _ => at = (at + 1) & mask,
            }
        }
        let index = nodes.len() as u32;
        nodes.push(node);
        self.slots[at] = index;
        self.used += 1;
        index
    }

    fn grow(&mut self, nodes: &[Inner]) {
        let size = self.slots.len() * 2;
        let mask = size - 1;
        self.slots = vec![0; size];
        for (index, node) in nodes.iter().enumerate().skip(2) {
            let mut at = hash(node.var, node.low, node.high) & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = index as u32;
        }
    }
}

fn hash(var: Var, low: Func, high: Func) -> usize {
    mix(var, low.0, high.0)
}

/// One entry for each slot; a later result displaces an earlier one.
#[derive(Clone)]
pub(super) struct OpCache {
    /// Operation (0 when free), operands, result.
    slots: Vec<[u32; 4]>,
}

impl OpCache {
    pub(super) fn new() -> Self {
        OpCache { slots: vec![[0; 4]; 1 << 9] }
    }

    pub(super) fn get(&self, op: u32, a: u32, b: u32) -> Option<u32> {
        let [known_op, known_a, known_b, result] =
            self.slots[mix(op, a, b) & (self.slots.len() - 1)];
        (known_op == op && known_a == a && known_b == b).then_some(result)
    }

    /// Grows with the number of nodes.
    pub(super) fn put(&mut self, op: u32, a: u32, b: u32, result: u32, nodes: usize) {
        if nodes > self.slots.len() && self.slots.len() < 1 << 20 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![[0; 4]; old.len() * 4];
            for entry in old {
                if entry[0] != 0 {
                    let at = mix(entry[0], entry[1], entry[2]) & (self.slots.len() - 1);
                    self.slots[at] = entry;
                }
            }
        }
        let at = mix(op, a, b) & (self.slots.len() - 1);
        self.slots[at] = [op, a, b, result];
    }
}
