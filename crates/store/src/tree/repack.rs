//! Other fields for the states of a shared tree, whose root has too few bits: pairs are made of parts, until these
//! fit; all groups stay, and their values keep their numbers.
//!
//! Nobody works meanwhile. First all pairs that some state has are numbered, by all threads (`nodes`). Then each part of the root is known to need
//! so many bits, and all states go to another set, by all threads. **Different states stay different**: a field is wide enough
//! for every number of its part; a number stands for one pair, and so, in the end, for the same numbers of
//! groups. That as many states have come as there were is checked. Until then the old set is there: if there is no room for
//! both, nothing is changed.
//!
//! A state that somebody has kept from before means nothing afterwards. So whoever keeps any says so
//! ([`SharedTree::make_bits`](super::SharedTree::make_bits)), and steps that were remembered are forgotten (`SystemStore::widened`).

use super::nodes::Known;
use super::pairing;
use super::plan::{LEAST_BITS, bits_for};
use super::shape::{Field, ROOT, Shape, WHOLE};
use super::shared::SharedTree;
use crate::lines::{Budget, Met, RootSet, Session, Stop};
use crate::pairs::{hash, pair};
use lariat_core::{Full, makes_mistake};
use std::sync::Arc;

/// States that are looked at to choose the pairs.
const SAMPLE: usize = 1 << 16;
/// States that are entered at once.
const TOGETHER: usize = 256;
/// With so many bits to spare, a root is no reason for pairs.
const SPARE_BITS: u32 = 4;

/// From the values of some parts to roots: of the parts of an old root, or of groups.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    pub(super) shape: Shape,
    pub(super) nodes: Vec<Known>,
    /// The parts that are given, and the first one that is a pair of others here.
    given: Vec<u32>,
    first: usize,
}

/// How many values each part that is given has; none if it has no table.
pub(super) type Lens = Vec<Option<usize>>;

fn bits(len: Option<usize>) -> u32 {
    len.map_or(WHOLE, |len| bits_for(len).max(LEAST_BITS))
}

impl Packing {
    /// For roots of so many bits. `rows`: the given parts' values in some states, of so many; `zeros`: those of all parts of the row of zeros,
    /// which every thread begins with.
    pub(super) fn new(
        shape: &Shape,
        mut nodes: Vec<Known>,
        (lens, rows, zeros): (&Lens, (&[u32], usize), &mut Vec<u32>),
        (most, target): (u32, u32),
        budget: &Arc<Budget>,
    ) -> Result<Self, Full> {
        let given = shape.tops().to_vec();
        let parts: Vec<(u32, u32)> =
            given.iter().copied().zip(lens.iter().copied().map(bits)).collect();
        let needed = parts.iter().map(|&(_, bits)| bits).sum::<u32>();
        let first = shape.parts();
        let pairs = match needed + SPARE_BITS > most {
            true => pairing::pairs(&parts, rows, first as u32, (most, target)),
            false => Vec::new(),
        };
        for _ in &pairs {
            nodes.push(Known::new(budget)?);
        }
        let mut packing = Packing { shape: shape.clone().paired(&pairs), nodes, given, first };
        zeros.resize(packing.shape.parts(), 0);
        packing.number_pairs(zeros)?;
        Ok(packing)
    }

    /// Numbers the pairs of a state.
    pub(super) fn number(
        &mut self,
        given: impl Iterator<Item = u32>,
        values: &mut Vec<u32>,
    ) -> Result<(), Full> {
        self.give(given, values);
        self.number_pairs(values)
    }

    fn give(&self, given: impl Iterator<Item = u32>, values: &mut Vec<u32>) {
        values.resize(self.shape.parts(), 0);
        self.given.iter().zip(given).for_each(|(&part, value)| values[part as usize] = value);
    }

    fn number_pairs(&mut self, values: &mut [u32]) -> Result<(), Full> {
        let groups = self.shape.groups();
        for part in self.first..self.shape.parts() {
            let (left, right) = self.shape.halves(part);
            let node = pair(values[left], values[right]);
            values[part] = self.nodes[part - groups].number(node, hash(node))?;
        }
        Ok(())
    }

    /// Divides the root for the pairs that were numbered. How many bits it would have; if these are more than there are, nothing is done.
    pub(super) fn close(&mut self, lens: &Lens) -> u32 {
        self.nodes.iter_mut().for_each(Known::refresh);
        let of_top = |&top: &u32| match self.given.iter().position(|given| *given == top) {
            Some(given) => bits(lens[given]),
            None => bits(Some(self.nodes[top as usize - self.shape.groups()].len())),
        };
        let needed: Vec<u32> = self.shape.tops().iter().map(of_top).collect();
        let sum = needed.iter().sum();
        if sum <= ROOT {
            self.shape.set_bits(&needed);
        }
        sum
    }

    /// The root of a state whose pairs were numbered.
    pub(super) fn root(&self, given: impl Iterator<Item = u32>, values: &mut Vec<u32>) -> u64 {
        self.give(given, values);
        let groups = self.shape.groups();
        for part in self.first..self.shape.parts() {
            let (left, right) = self.shape.halves(part);
            let number = self.nodes[part - groups].find(pair(values[left], values[right]));
            values[part] = number.expect("all pairs were numbered");
        }
        let wrong = u32::from(makes_mistake("repack-bit"));
        let field =
            |&top: &u32| self.shape.place(top as usize).field.put(values[top as usize] & !wrong);
        self.shape.tops().iter().map(field).sum()
    }

    pub(super) fn is_one(&self) -> bool {
        self.shape.tops().len() == 1
    }
}

/// The bits that roots may have, and those that are aimed at: at first as many as leave room to grow, then fewer and fewer, and one part in the
/// end.
pub(super) fn targets(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=most / 4 * 3).rev().step_by(8).map(move |target| (most, target)).chain([(0, 0)])
}

impl SharedTree {
    /// Packs all states anew. False if they do not fit, whatever pairs are made.
    pub(super) fn repack(&mut self) -> Result<bool, Full> {
        let (shape, nodes, lens, mut zeros) = self.common.packing();
        let (keys, most) = (self.keys, self.most_bits.saturating_sub(self.keys.below()));
        let fields: Vec<Field> =
            shape.tops().iter().map(|&top| shape.place(top as usize).field).collect();
        let old = |root: u64| fields.iter().map(move |field| field.get(root));
        let rows = self.sample(|key| keys.split(key).0, &old);
        for aim in targets(most) {
            let of_sample = (&lens, (&rows[..], self.set.len()), &mut zeros);
            let mut packing = Packing::new(&shape, nodes.clone(), of_sample, aim, &self.budget)?;
            if packing.first < packing.shape.parts() {
                self.number_all(&packing, &old)?;
            }
            let bits = packing.close(&lens);
            if bits <= most || packing.is_one() {
                return match keys.fit(bits + keys.below()) {
                    true => self.move_all(packing, &old).map(|()| true),
                    false => Ok(false),
                };
            }
        }
        Ok(false)
    }

    /// Values of the parts of some roots.
    fn sample<I: Iterator<Item = u32>>(
        &mut self,
        root: impl Fn(u64) -> u64,
        old: &impl Fn(u64) -> I,
    ) -> Vec<u32> {
        let parts = (self.set.len() / SAMPLE).max(1);
        let mut rows = Vec::new();
        self.set.sessions()[0].for_each_in(0, parts, |key, _| rows.extend(old(root(key))));
        rows
    }

    /// Numbers the pairs of all states.
    fn number_all<I: Iterator<Item = u32>>(
        &mut self,
        packing: &Packing,
        old: &(impl Fn(u64) -> I + Sync),
    ) -> Result<(), Full> {
        let (keys, threads) = (self.keys, self.set.threads());
        let work = |me: usize, session: &Session<'_>| {
            let (mut packing, mut values) = (packing.clone(), Vec::new());
            let mut done = Ok(());
            session.for_each_in(me, threads, |key, _| {
                if done.is_ok() {
                    done = packing.number(old(keys.split(key).0), &mut values);
                }
            });
            done
        };
        let (work, sessions) = (&work, self.set.sessions());
        std::thread::scope(|scope| {
            let start = |(me, session)| scope.spawn(move || work(me, &session));
            let all: Vec<_> = sessions.into_iter().enumerate().map(start).collect();
            all.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    /// All states go to another set and other levels.
    fn move_all<I: Iterator<Item = u32>>(
        &mut self,
        packing: Packing,
        old: &(impl Fn(u64) -> I + Sync),
    ) -> Result<(), Full> {
        let (keys, threads) = (self.keys, self.set.threads());
        let bits = packing.shape.bits() + keys.below();
        let (len, payload) = (self.set.len(), keys.payload());
        let mut set = RootSet::with_room(len, bits, payload, threads, &self.budget);
        let moved = |key: u64, values: &mut Vec<u32>| {
            let (root, state) = keys.split(key);
            keys.join(packing.root(old(root), values), state)
        };
        let work = |me: usize, from: &Session<'_>, to: &mut Session<'_>| {
            let (mut values, mut some, mut payloads) = (Vec::new(), Vec::new(), Vec::new());
            let mut done = Ok(());
            let mut put = |some: &mut Vec<u64>, payloads: &mut Vec<u64>| {
                let done = to.update(some, |at, _| payloads[at], |_, _| ());
                some.clear();
                payloads.clear();
                done
            };
            from.for_each_in(me, threads, |key, payload| {
                if done.is_err() {
                    return;
                }
                some.push(moved(key, &mut values));
                payloads.push(payload);
                if some.len() == TOGETHER {
                    done = put(&mut some, &mut payloads);
                }
            });
            done.and_then(|()| put(&mut some, &mut payloads))?;
            while to.meet(|| ())? == Met::Grown {}
            Ok(())
        };
        let work = &work;
        let (from, to) = (self.set.sessions(), set.sessions());
        let all: Result<(), Stop> = std::thread::scope(|scope| {
            let start = |(me, (from, mut to))| scope.spawn(move || work(me, &from, &mut to));
            let all: Vec<_> = from.into_iter().zip(to).enumerate().map(start).collect();
            all.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        all.or(Err(Full))?;
        assert_eq!(set.len(), self.set.len(), "different states stay different");
        self.levels.change(bits, |key| moved(key, &mut Vec::new()))?;
        self.set = set;
        self.common.repack(packing.shape.clone(), packing.nodes.clone());
        Ok(())
    }
}
