//! Who expands product states.

use lariat_core::{Automaton, Marks, Word, makes_mistake};
use lariat_model::interp::Fault;
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession};
use lariat_system::{Stop, System};

use crate::product::shared::SharedProduct;
use crate::product::shared::walker::{Block, Walker};
use crate::spread::shard::Expander;
use crate::spread::way::Wants;

pub(super) struct OfProduct<'p, 's, A> {
    product: &'p SharedProduct<'s, A>,
    keys: Keys,
    /// It knows valuations by the numbers of one system.
    walker: Option<Walker<'p, A>>,
    /// A run-time error that some runs cannot get past.
    pub(super) dead_end: Option<Fault>,
}

impl<'p, 's, A> OfProduct<'p, 's, A> {
    pub(super) fn new(product: &'p SharedProduct<'s, A>, keys: Keys) -> Self {
        OfProduct { product, keys, walker: None, dead_end: None }
    }
}

impl<'p, 's, A: Automaton + Sync> Expander<'s> for OfProduct<'p, 's, A> {
    fn arrive(&mut self, keys: Keys) {
        self.keys = keys;
        self.walker = Some(Walker::new(self.product.automaton, self.product.stutters(), keys));
    }

    fn system<'a>(
        &mut self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>> {
        self.product.system(steps, session)
    }

    fn initial(&mut self, system: &mut System<'s, SharedSession<'_>>) -> Result<Vec<u64>, Stop> {
        self.walker.as_ref().expect("it is at work").initial(system)
    }

    fn expand(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        keys: &[u64],
        wants: &dyn Fn(Word, Word) -> bool,
        block: &mut Block,
    ) -> Result<usize, Stop> {
        let walker = self.walker.as_mut().expect("it is at work");
        let expanded = walker.expand(system, keys, wants);
        std::mem::swap(&mut walker.block, block);
        self.dead_end = self.dead_end.or(system.dead_end());
        expanded
    }

    fn edge(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        (source, _): (u64, u64),
        to: u64,
        wants: Wants<'_>,
    ) -> Result<Option<Marks>, Stop> {
        let walker = self.walker.as_mut().expect("it is at work");
        walker.expand(system, &[source], wants)?;
        let Block { keys, marks, .. } = &walker.block;
        let mut all = makes_mistake("lasso-way-back").then_some(Marks::NONE);
        for (_, &more) in keys.iter().zip(marks).filter(|&(&key, _)| key == to) {
            all = Some(all.unwrap_or_default() | more);
        }
        Ok(all)
    }
}
