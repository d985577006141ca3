//! Which words of a row the steps of a process depend on or change, by its control point.
//!
//! A step touches its process's own frame, the globals it names (arrays as a whole, unless the
//! subscript is a constant of the process) and the channels it may mean. An atomic sequence touches what all its
//! steps do. A rendezvous touches the frames of all processes that may receive, and what they
//! do then. The sets are safe over-approximations; where nothing is known, there is none.

use std::collections::HashMap;

use lariat_core::makes_mistake;
use lariat_model::ir::expr::Instance;
use lariat_model::ir::{Action, BinaryOp, CommandId, Expr, ExprId, Place, Region};

use crate::layout::{Constants, Layout, for_each_action, for_each_expr, for_each_target};
use crate::plan::Plan;

/// Words of a row, as bits.
pub(crate) type Words = Box<[u64]>;

/// What the processes of a layout touch.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    /// By pid and control point; None where everything may be touched.
    at: Vec<Vec<Option<Words>>>,
    /// By word.
    classes: Vec<u32>,
    /// What the propositions look at; None where that may be everything.
    observed: Option<Words>,
}

impl Footprints {
    pub(crate) fn of(
        plan: &Plan<'_>,
        layout: &Layout,
        constants: &Constants,
        propositions: &[ExprId],
    ) -> Self {
        let finder = Finder { plan, layout, constants };
        let own: Vec<Vec<Own>> = (0..layout.processes.len()).map(|pid| finder.own(pid)).collect();
        let mut at: Vec<Vec<Option<Words>>> = own
            .iter()
            .map(|process| process.iter().map(|own| own.words.clone()).collect())
            .collect();
        // What follows in atomic sequences and by rendezvous, until nothing is new.
        loop {
            let mut is_new = false;
            for (pid, process) in own.iter().enumerate() {
                for (location, own) in process.iter().enumerate() {
                    let Some(mut words) = at[pid][location].clone() else { continue };
                    let joined = finder.follow(pid, own, &at, &mut words);
                    let words = joined.then_some(words);
                    if words != at[pid][location] {
                        at[pid][location] = words;
                        is_new = true;
                    }
                }
            }
            if !is_new {
                break;
            }
        }
        let classes = classes(&at, plan.row as usize / 4);
        Footprints { at, classes, observed: finder.observed(propositions) }
    }

    pub(crate) fn observed(&self) -> Option<&[u64]> {
        self.observed.as_deref()
    }

    pub(crate) fn len(&self) -> usize {
        self.at.len()
    }

    pub(crate) fn at(&self, pid: usize, location: usize) -> Option<&[u64]> {
        self.at[pid].get(location)?.as_deref()
    }

    /// By word: a number for the set of control points that touch it.
    pub(crate) fn classes(&self) -> &[u32] {
        &self.classes
    }
}

fn classes(at: &[Vec<Option<Words>>], width: usize) -> Vec<u32> {
    let mut numbers = HashMap::new();
    let of_word = |word: usize| {
        let is_touched = |words: &Words| words[word / 64] >> (word % 64) & 1 == 1;
        let set: Vec<bool> = at.iter().flatten().flatten().map(is_touched).collect();
        let next = numbers.len() as u32;
        *numbers.entry(set).or_insert(next)
    };
    (0..width).map(of_word).collect()
}

fn join(words: &mut [u64], others: &[u64]) {
    words.iter_mut().zip(others).for_each(|(word, other)| *word |= other);
}

/// What the commands of one control point touch by themselves.
struct Own {
    words: Option<Words>,
    /// Commands by which the process keeps control, by target.
    atomic: Vec<usize>,
    /// The rendezvous channels that are sent to, as bits (id modulo 32).
    offers: u32,
}

struct Finder<'a, 'm> {
    plan: &'a Plan<'m>,
    layout: &'a Layout,
    constants: &'a Constants,
}

impl<'m> Finder<'_, 'm> {
    fn nothing(&self) -> Words {
        vec![0; (self.plan.row as usize / 4).div_ceil(64)].into()
    }

    fn mark(&self, words: &mut Words, start: u32, end: u32) {
        for word in start / 4..end.div_ceil(4) {
            words[word as usize / 64] |= 1 << (word % 64);
        }
    }

    /// A process with its channels.
    fn mark_block(&self, words: &mut Words, pid: usize) {
        let place = self.layout.processes[pid].place;
        self.mark(words, place.base, place.base + self.plan.block_size(place.proctype));
    }

    /// What propositions look at, if that is known.
    fn observed(&self, propositions: &[ExprId]) -> Option<Words> {
        let mut words = self.nothing();
        let mut is_known = true;
        // How many processes there are.
        self.mark(&mut words, 0, 4);
        for &root in propositions {
            self.plan.model.exprs.walk(root, &mut |_, node| {
                // No process is asked: none of its variables occurs.
                is_known &= match node {
                    Expr::At(remote) => self.mark_instance(&mut words, &remote.instance),
                    Expr::Remote(remote) => self.mark_instance(&mut words, &remote.instance),
                    Expr::Const(_) | Expr::Table(..) | Expr::NrProcesses | Expr::Last => true,
                    Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
                    Expr::Len(channel) | Expr::Probe(_, channel) => {
                        self.channel(0, *channel, &mut words, None)
                    }
                    Expr::Poll(poll) => self.channel(0, poll.channel, &mut words, None),
                    &Expr::Var(Region::Global, offset, scalar) => {
                        self.place(0, &Place::simple(Region::Global, offset, scalar), &mut words)
                    }
                    Expr::Load(place) if place.region == Region::Global => {
                        self.place(0, place, &mut words)
                    }
                    _ => false,
                };
            });
        }
        is_known.then_some(words)
    }

    /// The processes that a remote reference may mean, with their channels; false if that may be
    /// any. A pid is not asked for its type: behind a frame of another one lie other processes.
    fn mark_instance(&self, words: &mut Words, instance: &Instance) -> bool {
        let pid = instance.pid.map(|pid| self.plan.model.exprs.get(pid));
        let wanted = match pid {
            None => None,
            Some(&Expr::Const(pid)) => Some(pid),
            Some(_) => return false,
        };
        for (pid, process) in self.layout.processes.iter().enumerate() {
            let is_of_type = process.place.proctype == instance.proctype;
            match wanted {
                Some(wanted) if wanted != pid as i32 => continue,
                Some(_) if !is_of_type => return makes_mistake("observed-other-type"),
                None if !is_of_type => continue,
                _ => self.mark_block(words, pid),
            }
        }
        true
    }

    /// By control point.
    fn own(&self, pid: usize) -> Vec<Own> {
        let model = self.plan.model;
        let proctype = model.proctype(self.layout.processes[pid].place.proctype);
        let own = |location: &lariat_model::ir::Location| {
            let mut own = Own { words: None, atomic: Vec::new(), offers: 0 };
            let mut words = self.nothing();
            // How many processes there are, and who was last.
            self.mark(&mut words, 0, 4);
            self.mark_block(&mut words, pid);
            let mut is_known = true;
            for edge in &location.edges {
                is_known &= self.command(pid, edge.command, &mut words, &mut own.offers);
                let command = model.command(edge.command);
                if command.atomic {
                    own.atomic.push(command.target.0 as usize);
                }
            }
            let model = self.plan.model;
            let waits = |edge: &lariat_model::ir::Edge| {
                self.only_waits(pid, &model.command(edge.command).action)
            };
            if location.edges.iter().all(waits) {
                // There are no steps here but those of senders.
                words.fill(0);
            }
            own.words = is_known.then_some(words);
            own
        };
        proctype.locations.iter().map(own).collect()
    }

    /// Whether an action is a plain receive from rendezvous channels: it has no steps by itself.
    fn only_waits(&self, pid: usize, action: &Action) -> bool {
        let Action::Receive(receive) = action else { return false };
        let Some((first, last)) = self.ids(pid, receive.channel) else { return false };
        let is_rendezvous = |id: u32| {
            let place = self.layout.channels.get(id as usize - 1);
            place.is_some_and(|place| {
                self.plan.model.channel_types[place.ty as usize].is_rendezvous()
            })
        };
        !receive.peek && (first..=last).all(is_rendezvous)
    }

    /// What a command touches by itself; false if that is not known.
    fn command(&self, pid: usize, id: CommandId, words: &mut Words, offers: &mut u32) -> bool {
        let model = self.plan.model;
        let mut is_known = true;
        for_each_action(model, &model.command(id).action, &mut |action| {
            match action {
                Action::Send(send) => {
                    let is_plain = self.channel(pid, send.channel, words, Some(&mut *offers));
                    is_known &= is_plain;
                }
                Action::Receive(receive) => {
                    is_known &= self.channel(pid, receive.channel, words, None);
                }
                Action::SetPriority { .. } | Action::OwnPriority(_) | Action::Transition(_) => {
                    is_known = false;
                }
                // Only the commands of this control point decide about `else`.
                Action::Skip | Action::Else | Action::Guard(_) | Action::Assign(_) => {}
                Action::Assert(_) | Action::Print(_) | Action::DStep(_) | Action::End => {}
            }
            for_each_expr(action, &mut |root| is_known &= self.expr(pid, root, words));
            for_each_target(action, &mut |place| is_known &= self.place(pid, place, words));
        });
        is_known
    }

    fn expr(&self, pid: usize, root: ExprId, words: &mut Words) -> bool {
        let model = self.plan.model;
        let mut is_known = true;
        model.exprs.walk(root, &mut |_, node| match node {
            Expr::Len(channel) | Expr::Probe(_, channel) => {
                is_known &= self.channel(pid, *channel, words, None);
            }
            Expr::Poll(poll) => is_known &= self.channel(pid, poll.channel, words, None),
            Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::Priority
            | Expr::At(_)
            | Expr::Remote(_)
            | Expr::NonProgress
            | Expr::AtAccept => is_known &= makes_mistake("footprint-remote"),
            // The first word says how many there are and who was last; states without other
            // steps, where `timeout` is true, are expanded as a whole; who is started is seen
            // from the number of processes.
            Expr::NrProcesses | Expr::Last | Expr::Timeout | Expr::Run(_) => {}
            &Expr::Var(region, offset, scalar) => {
                is_known &= self.place(pid, &Place::simple(region, offset, scalar), words);
            }
            Expr::Load(place) => is_known &= self.place(pid, place, words),
            Expr::Const(_)
            | Expr::Table(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Pid => {}
        });
        is_known
    }

    /// Marks what a place may mean; false if that is not known.
    fn place(&self, pid: usize, place: &Place, words: &mut Words) -> bool {
        match place.region {
            Region::Global => {
                let (start, end) = self.span(pid, place);
                self.mark(words, start, end);
                true
            }
            // The own frame is marked.
            Region::Local | Region::Nothing => true,
            Region::Hidden => false,
        }
    }

    /// The bytes from and to that a place may mean: all of an array if the subscript is not a
    /// constant of the process.
    fn span(&self, pid: usize, place: &Place) -> (u32, u32) {
        let (mut start, mut reach) = (place.offset, place.scalar.size());
        for index in &place.indices {
            let value = self.value(pid, index.value).and_then(|value| u32::try_from(value).ok());
            match value.filter(|&value| value < index.count) {
                Some(value) => start += value * index.stride,
                None if makes_mistake("footprint-array") => {}
                None => reach += (index.count - 1) * index.stride,
            }
        }
        (start, start + reach)
    }

    /// The value of an expression that is the same in all states.
    fn value(&self, pid: usize, expr: ExprId) -> Option<i32> {
        match *self.plan.model.exprs.get(expr) {
            Expr::Const(value) => Some(value),
            Expr::Pid => i32::try_from(pid).ok(),
            Expr::Var(Region::Local, offset, scalar) => {
                let process = &self.layout.processes[pid];
                let at = self.constants.position(process.place.proctype, offset, scalar)?;
                Some(process.constants[at])
            }
            Expr::Var(region, offset, scalar) => self.plan.constant(region, offset, scalar),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(pid, left)?, self.value(pid, right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide => left.checked_div(right),
                    BinaryOp::Remainder => left.checked_rem(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Marks the channels that an expression may mean. `offers` is for sends; whoever looks at a
    /// rendezvous channel in another way looks at nothing, as long as it is a plain receive.
    fn channel(
        &self,
        pid: usize,
        expr: ExprId,
        words: &mut Words,
        offers: Option<&mut u32>,
    ) -> bool {
        let all = 0..self.layout.channels.len();
        let ids = match self.ids(pid, expr) {
            Some((first, last)) => first as usize - 1..last as usize,
            None => all.clone(),
        };
        if ids.end > all.end {
            return false;
        }
        let mut offered = 0;
        for at in ids {
            let place = self.layout.channels[at];
            let ty = &self.plan.model.channel_types[place.ty as usize];
            match ty.is_rendezvous() {
                true => offered |= 1 << ((at + 1) % 32),
                false => self.mark(words, place.base, place.base + ty.size),
            }
        }
        if let Some(offers) = offers {
            *offers |= offered;
        }
        true
    }

    /// The first and the last channel that an expression may mean.
    fn ids(&self, pid: usize, expr: ExprId) -> Option<(u32, u32)> {
        if let Some(id) = self.value(pid, expr) {
            let id = u32::try_from(id).ok().filter(|&id| id > 0)?;
            return Some((id, id));
        }
        let Expr::Load(place) = self.plan.model.exprs.get(expr) else { return None };
        let known = self.plan.known_channel(place)?;
        let (start, end) = self.span(pid, place);
        let first = known.first_id + (start - known.offset) / known.element;
        let last = known.first_id + (end - 1 - known.offset) / known.element;
        Some((first, last))
    }

    /// Adds what happens behind the commands of a control point; false if that is not known.
    fn follow(&self, pid: usize, own: &Own, at: &[Vec<Option<Words>>], words: &mut Words) -> bool {
        for &target in &own.atomic {
            let Some(others) = &at[pid][target] else { return false };
            join(words, others);
        }
        own.offers == 0
            || (0..at.len()).all(|other| other == pid || self.accept(other, own.offers, at, words))
    }

    /// Adds what a process does that receives by a rendezvous.
    fn accept(
        &self,
        pid: usize,
        offers: u32,
        at: &[Vec<Option<Words>>],
        words: &mut Words,
    ) -> bool {
        let Finder { plan, layout, .. } = self;
        let id = layout.processes[pid].place.proctype;
        let start = plan.starts[id.0 as usize] as usize;
        for (number, location) in plan.model.proctype(id).locations.iter().enumerate() {
            if plan.receive_masks[start + number] as u32 & offers == 0 {
                continue;
            }
            self.mark_block(words, pid);
            for edge in &location.edges {
                let mut nothing = 0;
                if !self.command(pid, edge.command, words, &mut nothing) {
                    return false;
                }
                let command = plan.model.command(edge.command);
                if command.atomic {
                    match &at[pid][command.target.0 as usize] {
                        Some(others) => join(words, others),
                        None => return false,
                    }
                }
            }
        }
        true
    }
}
