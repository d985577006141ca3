//! A model's state space that looks now and then whether to go on.

use lariat_automata::Label;
use lariat_core::{
    Cursor, Flat, Limit, Parts, Props, StateSpace, Successors, Word, makes_mistake, stop,
};
use lariat_model::interp::{Fault, FaultKind, Interp, row};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;

use crate::answer::Inconclusive;
use crate::observer::Observer;

/// How many states are expanded between two looks at the limits.
const INTERVAL: u64 = 128;

/// Steps that can be interrupted. A faulty step of a DVE model leads to a state in which
/// nothing has a meaning: the walk stops there. So it does where a proposition that matters
/// cannot be evaluated.
pub(super) struct Watched<'m> {
    pub(super) steps: Box<dyn ModelSteps + 'm>,
    model: &'m Model,
    propositions: &'m [ExprId],
    /// What the property automaton asks of them.
    labels: &'m [Label],
    observer: &'m dyn Observer,
    expanded: u64,
    stop: Option<Limit>,
    fault: Option<Fault>,
    /// The first run-time error that some runs cannot get past.
    fatal: Option<Fault>,
}

impl<'m> Watched<'m> {
    pub(super) fn new(
        steps: Box<dyn ModelSteps + 'm>,
        model: &'m Model,
        propositions: &'m [ExprId],
        labels: &'m [Label],
        observer: &'m dyn Observer,
    ) -> Self {
        let (stop, fault, fatal) = (None, None, None);
        Watched { steps, model, propositions, labels, observer, expanded: 0, stop, fault, fatal }
    }

    /// The limit that was reached, or the fault at which the walk was stopped.
    pub(super) fn why_stopped(&self) -> Option<Inconclusive> {
        if let Some(limit) = self.stop {
            return Some(limit.into());
        }
        let fault = self.fault?;
        match fault.kind {
            FaultKind::Stopped => stop::asked().map(Inconclusive::from),
            kind if kind.is_cut() => {
                let why = format!("{kind}{}", self.place(fault));
                Some(Inconclusive::new(Limit::EndlessStep, why))
            }
            _ => Some(self.error(fault)),
        }
    }

    /// A run-time error that some runs cannot get past: that no run was found proves nothing then.
    pub(super) fn dead_end(&self) -> Option<Inconclusive> {
        self.fatal.map(|fault| self.error(fault))
    }

    fn error(&self, fault: Fault) -> Inconclusive {
        let place = self.place(fault);
        let why = format!("run-time error: {}{place}; what follows it has no meaning", fault.kind);
        Inconclusive::new(Limit::Fault, why)
    }

    fn place(&self, fault: Fault) -> String {
        let place = self.model.sources.location(fault.span);
        place.map_or(String::new(), |place| format!(" at {place}"))
    }

    /// Looks at the limits now and then.
    #[inline]
    fn look(&mut self) {
        self.expanded += 1;
        if self.expanded.is_multiple_of(INTERVAL) {
            self.observer.expanded(self.expanded);
            self.stop = stop::asked();
        }
    }

    /// A process of Promela goes on behind some faults, and others are steps that are not there:
    /// see [`Watched::dead_end`]. What was cut off proves nothing.
    fn stops_at(&self, fault: FaultKind) -> bool {
        match self.model.discipline {
            Discipline::Spin => fault.is_cut(),
            _ => fault != FaultKind::Assertion,
        }
    }
}

impl Successors for Watched<'_> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        self.steps.batch(room)
    }

    fn initial(&mut self, out: &mut Flat) {
        self.steps.initial(out);
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        self.look();
        self.steps.expand(src, at, out);
        let faults = self.steps.report().faults.iter().map(|found| found.fault);
        self.fault = self.fault.or(faults.clone().find(|fault| self.stops_at(fault.kind)));
        let known = self.fatal.filter(|_| !makes_mistake("fatal-forgotten"));
        self.fatal = known.or(faults.clone().find(|fault| fault.kind.is_fatal()));
    }

    fn parts(&mut self) -> Option<&mut dyn Parts> {
        self.look();
        self.steps.parts()
    }

    fn interrupted(&self) -> bool {
        // A run that was found is replayed although time is over.
        self.stop.is_some() && !stop::is_undisturbed()
            || self.fault.is_some()
            || self.steps.interrupted()
    }
}

impl StateSpace for Watched<'_> {
    fn mark_count(&self) -> u32 {
        self.steps.mark_count()
    }

    fn props(&mut self, state: &[Word]) -> Props {
        let props = self.steps.props(state);
        let undefined = self.steps.undefined();
        // Neither true nor false. That does not matter where another one decides, as `i < N` does
        // in `i < N -> a[i] == 0`.
        let matters = |label: &Label| label.depends_on(undefined, props);
        if undefined != 0 && self.fault.is_none() && self.labels.iter().any(matters) {
            let (bytes, hidden) = row::unpack(self.model, state);
            let mut interp = Interp::new(self.model);
            interp.load_with_hidden(&bytes, &hidden);
            let proposition = self.propositions[undefined.trailing_zeros() as usize];
            self.fault = interp.eval_loaded(proposition, None).err();
        }
        props
    }
}
