//! A run: played step by step, found by a search and judged, or loaded.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::subject::{Fault, Finish, Judged, Part, State, Step, Subject};
use serde_json::Value;

/// Where a run comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Played,
    Found,
    Loaded,
}

impl Origin {
    pub(super) fn name(self) -> &'static str {
        match self {
            Origin::Played => "played",
            Origin::Found => "found",
            Origin::Loaded => "loaded",
        }
    }
}

/// Who moves in a run.
#[derive(Debug, Default)]
pub(super) struct Movers {
    /// By pid, then in the order of their first step.
    pub(super) columns: Vec<(u8, String)>,
    /// For each step the columns of its statements.
    pub(super) of_steps: Vec<Vec<u16>>,
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) origin: Origin,
    pub(super) title: String,
    /// The run from which it branched, and where.
    pub(super) parent: Option<(String, usize)>,
    pub(super) initial: Arc<State>,
    pub(super) steps: Vec<Arc<Step>>,
    pub(super) ending: Finish,
    /// The property is about what comes behind so many steps.
    pub(super) from: usize,
    /// What the judge asked; empty if nothing is said about the run.
    pub(super) judged_by: Vec<String>,
    /// The id of the property that it is about.
    pub(super) property: Option<String>,
    pub(super) error: Option<Fault>,
    /// As it is saved, if it was judged.
    pub(super) saved: Option<Value>,
    pub(super) movers: OnceLock<Movers>,
}

impl Run {
    /// At the initial state.
    pub(super) fn played(initial: State) -> Run {
        Run {
            origin: Origin::Played,
            title: "played".to_owned(),
            parent: None,
            initial: Arc::new(initial),
            steps: Vec::new(),
            ending: Finish::Open,
            from: 0,
            judged_by: Vec::new(),
            property: None,
            error: None,
            saved: None,
            movers: OnceLock::new(),
        }
    }

    /// A run that the judge has seen.
    pub(super) fn judged(judged: Judged, saved: Value, origin: Origin) -> Run {
        Run {
            origin,
            title: match judged.from {
                0 => judged.title,
                from => format!("{}, from position {from}", judged.title),
            },
            steps: judged.steps.into_iter().map(Arc::new).collect(),
            ending: judged.finish,
            from: judged.from,
            judged_by: if judged.is_claimed { judged.by } else { Vec::new() },
            error: judged.error,
            saved: Some(saved),
            ..Run::played(judged.initial)
        }
    }

    /// The first steps, to go on otherwise.
    pub(super) fn beginning(&self, id: &str, at: usize) -> Run {
        Run {
            origin: Origin::Played,
            title: format!("played from step {at}"),
            parent: Some((id.to_owned(), at)),
            initial: self.initial.clone(),
            steps: self.steps[..at].to_vec(),
            ending: Finish::Open,
            from: 0,
            judged_by: Vec::new(),
            property: self.property.clone(),
            error: None,
            saved: None,
            movers: OnceLock::new(),
        }
    }

    /// The same run, to be changed.
    pub(super) fn copy(&self) -> Run {
        Run {
            origin: self.origin,
            title: self.title.clone(),
            parent: self.parent.clone(),
            initial: self.initial.clone(),
            steps: self.steps.clone(),
            ending: self.ending,
            from: self.from,
            judged_by: self.judged_by.clone(),
            property: self.property.clone(),
            error: self.error.clone(),
            saved: None,
            movers: OnceLock::new(),
        }
    }

    /// The state at a position; none behind a step that leads nowhere.
    pub(super) fn state(&self, at: usize) -> Option<&State> {
        match at.checked_sub(1) {
            None => Some(&self.initial),
            Some(step) => self.steps.get(step)?.state.as_ref(),
        }
    }

    /// How many positions have a state.
    pub(super) fn states(&self) -> usize {
        self.steps.len() + usize::from(self.state(self.steps.len()).is_some())
    }

    /// All states, by position.
    pub(super) fn all_states(&self) -> impl Iterator<Item = &State> {
        (0..self.states()).filter_map(|at| self.state(at))
    }

    /// The states at these positions. The one that closes a loop is its first.
    pub(super) fn part(&self, from: usize, to: usize) -> Part<'_> {
        let is_end = to == self.steps.len();
        Part {
            before: self.state(from).unwrap_or(&self.initial),
            steps: &self.steps[from..to],
            first: from,
            decides: is_end && self.ending == Finish::Decided { holds: false },
        }
    }

    pub(super) fn loop_start(&self) -> Option<usize> {
        match self.ending {
            Finish::Loop(start) => Some(start),
            _ => None,
        }
    }

    /// The first position whose state an open run is in again.
    pub(super) fn same_as(&self) -> Option<usize> {
        let last = self.state(self.steps.len()).filter(|_| self.ending == Finish::Open)?;
        self.all_states().take(self.steps.len()).position(|state| state == last)
    }

    /// Bytes of the states; those that are shared with other runs count in each.
    pub(super) fn bytes(&self) -> usize {
        let step = |step: &Arc<Step>| {
            let state = step.state.as_ref().map_or(0, State::bytes);
            state + 8 * step.moves.len() + 120
        };
        self.steps.iter().map(step).sum()
    }

    /// Who moves.
    pub(super) fn processes(&self, subject: &dyn Subject<'_>) -> &Movers {
        self.movers.get_or_init(|| {
            let mut found: BTreeMap<u8, Vec<String>> = BTreeMap::new();
            let part = self.part(0, self.steps.len());
            subject.processes(&part, &mut |_, pid, name| {
                let names = found.entry(pid).or_default();
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            });
            let columns: Vec<(u8, String)> = found
                .into_iter()
                .flat_map(|(pid, names)| names.into_iter().map(move |name| (pid, name)))
                .collect();
            let mut of_steps = vec![Vec::new(); self.steps.len()];
            subject.processes(&part, &mut |step, pid, name| {
                let column = columns.iter().position(|(p, n)| *p == pid && n == name);
                of_steps[step].push(column.unwrap_or(0) as u16);
            });
            Movers { columns, of_steps }
        })
    }
}
