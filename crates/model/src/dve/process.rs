//! Processes to control graphs.

use std::collections::HashMap;
use std::sync::Arc;

use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::dve::ast::{self, Accept, Direction, Ident};
use lariat_syntax::dve::print_transition;

use super::expression::Scope;
use super::lowering::Lowering;
use super::names::{ChannelKind, ChannelSymbol};
use crate::ir::transition::{OfferedValue, Property, Queue, Sync, Transition};
use crate::ir::{
    Action, Assign, ChannelTypeId, Command, CommandId, Edge, Location, LocationId, Place, Region,
};

impl Lowering {
    /// The control points of a process, with their transitions.
    pub(super) fn locations(&mut self, process: &ast::Process) -> Vec<Location> {
        // Number 0 is no control point. No other is an end: a state without steps is a deadlock,
        // if anybody asks.
        let mut locations = vec![Location::default()];
        for state in &process.states {
            locations.push(Location {
                labels: vec![state.text.to_string()],
                span: Some(state.span),
                ..Location::default()
            });
        }
        for state in &process.commit {
            if let Some(at) = self.state(process, state) {
                locations[at.0 as usize].is_committed = true;
            }
        }
        for states in accept_sets(process) {
            for state in states {
                if let Some(at) = self.state(process, state) {
                    locations[at.0 as usize].is_accept = true;
                }
            }
        }
        for assert in &process.asserts {
            let condition = self.scope(Some(&process.name.text)).expression(&assert.condition);
            if let (Some(at), Some(condition)) =
                (self.state(process, &assert.state), self.checked(condition))
            {
                locations[at.0 as usize].asserts.push(condition);
                self.has_asserts = true;
            }
        }
        for transition in &process.transitions {
            let source = self.state(process, &transition.source);
            let target = self.state(process, &transition.target);
            let action = self.transition(process, transition);
            let (Some(source), Some(target), Some(action)) = (source, target, action) else {
                continue;
            };
            let command = CommandId(self.commands.len() as u32);
            self.commands.push(Command {
                action: Action::Transition(Box::new(action)),
                target,
                atomic: false,
                span: transition.span,
                text: describe(transition),
                is_silent: false,
            });
            locations[source.0 as usize].edges.push(Edge { command, escape: 0 });
        }
        locations
    }

    /// The number of a state, or an error.
    pub(super) fn state(&mut self, process: &ast::Process, state: &Ident) -> Option<LocationId> {
        let found = process.states.iter().position(|known| known.text == state.text);
        if found.is_none() {
            let message = format!("process `{}` has no state `{}`", process.name.text, state.text);
            self.errors.push(Diagnostic::error(state.span, message));
        }
        found.map(location_id)
    }

    /// The numbers of all states.
    pub(super) fn state_names(&mut self, process: &ast::Process) -> HashMap<Arc<str>, LocationId> {
        let mut states: HashMap<Arc<str>, LocationId> = HashMap::new();
        for (at, state) in process.states.iter().enumerate() {
            if let Some(first) = states.insert(state.text.clone(), location_id(at)) {
                let first = &process.states[first.0 as usize - 1];
                let message = format!("state `{}` is declared twice", state.text);
                let error = Diagnostic::error(state.span, message);
                self.errors.push(error.also(first.span, "first declared here"));
            }
        }
        if process.states.len() >= u16::MAX as usize {
            let error = Diagnostic::error(process.name.span, "more than 65534 states");
            self.errors.push(error);
        }
        states
    }

    fn transition(
        &mut self,
        process: &ast::Process,
        transition: &ast::Transition,
    ) -> Option<Transition> {
        let name = Some(&*process.name.text);
        let errors = self.errors.len();
        let guard = transition.guard.as_ref().map(|guard| self.scope(name).expression(guard));
        let guard = guard.and_then(|guard| self.checked(guard));
        let sync = transition.sync.as_ref().and_then(|sync| self.sync(process, sync));
        let mut effects = Vec::new();
        let mut writes = Vec::new();
        for effect in &transition.effects {
            let assign = self.assign(name, effect);
            let Some(assign) = self.checked(assign) else { continue };
            if assign.target.region == Region::Global && !writes.contains(&assign.target.offset) {
                writes.push(assign.target.offset);
            }
            effects.push(assign);
        }
        (self.errors.len() == errors).then_some(Transition { guard, sync, effects, writes })
    }

    fn assign(
        &mut self,
        process: Option<&str>,
        effect: &ast::Assignment,
    ) -> Result<Assign, Diagnostic> {
        let mut scope = self.scope(process);
        let target = scope.place(&effect.target)?;
        Ok(Assign { target, value: scope.expression(&effect.value)? })
    }

    fn sync(&mut self, process: &ast::Process, sync: &ast::Sync) -> Option<Sync> {
        let Some(channel) = self.names.channels.get(&sync.channel.text).cloned() else {
            let message = format!("there is no channel `{}`", sync.channel.text);
            self.errors.push(Diagnostic::error(sync.channel.span, message));
            return None;
        };
        if self.is_property(process) {
            let error = Diagnostic::error(sync.span, "a property process cannot communicate");
            self.errors.push(error.note("it only watches the processes of the system"));
            return None;
        }
        self.check_arity(&channel, sync)?;
        let mut scope = self.scope(Some(&process.name.text));
        let sync = lower_sync(&mut scope, &channel, sync);
        self.checked(sync)
    }

    /// All uses of a channel have the same number of values.
    fn check_arity(&mut self, channel: &ChannelSymbol, sync: &ast::Sync) -> Option<()> {
        let given = sync.values.len();
        let name = &sync.channel.text;
        let wrong = |message: String, span: Span, label: &str| {
            Some(Diagnostic::error(sync.span, message).also(span, label))
        };
        let error = match (&channel.types, channel.arity) {
            (Some(types), _) if given != 0 && given != types.len() => {
                let message = format!("`{name}` carries {} values, not {given}", types.len());
                wrong(message, channel.span, "declared here")
            }
            (_, Some((first, span))) if first != given => {
                let message =
                    format!("`{name}` is used with {given} values, elsewhere with {first}");
                wrong(message, span, "first used here")
            }
            _ => None,
        };
        let known = self.names.channels.get_mut(&sync.channel.text)?;
        known.arity.get_or_insert((given, sync.span));
        match error {
            Some(error) => {
                self.errors.push(error);
                None
            }
            None => Some(()),
        }
    }

    /// Acceptance of the property process, which is the process number `pid`.
    pub(super) fn property(&mut self, process: &ast::Process, pid: u8) -> Option<Property> {
        let sets = accept_sets(process);
        if sets.is_empty() {
            let message = "a property process needs accepting states";
            let error = Diagnostic::error(process.name.span, message)
                .help("name them behind `init`: `accept q1;`");
            self.errors.push(error);
            return None;
        }
        if sets.len() > 64 {
            let message = "more than 64 acceptance sets";
            self.errors.push(Diagnostic::error(process.name.span, message));
            return None;
        }
        let mut marks = vec![0; process.states.len() + 1];
        for (set, states) in sets.iter().enumerate() {
            for state in *states {
                let at = process.states.iter().position(|known| known.text == state.text)?;
                marks[location_id(at).0 as usize] |= 1 << set;
            }
        }
        Some(Property { pid, marks, mark_count: sets.len() as u32 })
    }

    /// A claim is tested from outside: it has one acceptance set and nothing to remember but its
    /// control point.
    pub(super) fn check_claim(&mut self, process: &ast::Process, property: Option<Property>) {
        let Some(property) = property else { return };
        let mut refuse = |span: Span, message: &str| {
            let error = Diagnostic::error(span, message)
                .note("`lariat count` explores the product with any property process");
            self.errors.push(error);
        };
        if property.mark_count > 1 {
            refuse(process.name.span, "a property process with several acceptance sets");
        }
        for state in &process.commit {
            refuse(state.span, "a property process with a committed state");
        }
        for decl in process.vars.iter().filter(|decl| !decl.is_const) {
            refuse(decl.span, "a property process with variables");
        }
        let effects = process.transitions.iter().flat_map(|transition| &transition.effects);
        for effect in effects {
            refuse(effect.span, "a property process that assigns to variables");
        }
    }

    pub(super) fn scope<'a>(&'a mut self, process: Option<&'a str>) -> Scope<'a> {
        Scope { names: &self.names, exprs: &mut self.exprs, process }
    }

    /// Keeps the error, if it is one.
    pub(super) fn checked<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }
}

fn location_id(at: usize) -> LocationId {
    LocationId(at.saturating_add(1).min(u16::MAX as usize) as u16)
}

fn accept_sets(process: &ast::Process) -> Vec<&[Ident]> {
    match &process.accept {
        None => Vec::new(),
        Some(Accept::Buchi(states)) => vec![states],
        Some(Accept::GenBuchi(sets)) => sets.iter().map(Vec::as_slice).collect(),
    }
}

fn lower_sync(
    scope: &mut Scope<'_>,
    channel: &ChannelSymbol,
    sync: &ast::Sync,
) -> Result<Sync, Diagnostic> {
    if sync.direction == Direction::Receive {
        let targets = sync.values.iter().map(|target| scope.place(target));
        let targets: Vec<Place> = targets.collect::<Result<_, _>>()?;
        return Ok(match channel.kind {
            ChannelKind::Rendezvous(number) => Sync::Accept { channel: number, targets },
            ChannelKind::Buffered(number) => Sync::Take { queue: queue(number), targets },
        });
    }
    let values = sync.values.iter().map(|value| scope.expression(value));
    let values: Vec<_> = values.collect::<Result<_, _>>()?;
    Ok(match channel.kind {
        ChannelKind::Buffered(number) => Sync::Put { queue: queue(number), values },
        ChannelKind::Rendezvous(number) => {
            let narrow = |at: usize| channel.types.as_ref().map(|types| types[at]);
            let offer = |(at, &value)| OfferedValue { value, narrowed_to: narrow(at) };
            let values = values.iter().enumerate().map(offer).collect();
            Sync::Offer { channel: number, values }
        }
    })
}

fn queue(number: u8) -> Queue {
    Queue { id: number + 1, channel_type: ChannelTypeId(number) }
}

fn describe(transition: &ast::Transition) -> String {
    let (source, target) = (&transition.source.text, &transition.target.text);
    format!("{source} -> {target} {{{}}}", print_transition(transition))
}
