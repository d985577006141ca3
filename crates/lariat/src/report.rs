//! The report: all answers, with figures, as text.

use crate::diff;
use crate::fairness::Strength;
use crate::graph::Progress;
use crate::model::Model;
use crate::run::Run;
use crate::verdict::{Reason, Verdict};
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

/// The answers about a model. Its `Display` is what one reads; so is its `Debug`.
pub struct Report<M: Model> {
    /// One for each question, in the order in which they were asked, and one for a panic.
    pub findings: Vec<Finding<M>>,
    /// How much was looked at.
    pub stats: Stats,
    /// What runs had to be fair to.
    pub fair: Vec<(String, Strength)>,
}

/// The answer to one question.
pub struct Finding<M: Model> {
    /// What the question was called.
    pub name: String,
    /// The answer.
    pub verdict: Verdict<M>,
    /// What may help to understand it.
    pub hint: Option<String>,
}

/// How much was looked at. If only temporal properties were asked for, states and steps are those that
/// the searches met, steps once for each state of an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Different states.
    pub states: u64,
    /// Different initial states.
    pub initial: u64,
    /// Steps between states.
    pub transitions: u64,
    /// The largest distance of a state from an initial one.
    pub depth: u64,
    /// States that no step leads out of.
    pub ends: u64,
    /// Steps that lead beyond the boundary.
    pub beyond: u64,
    /// States of the products with automata of temporal properties.
    pub product_states: u64,
    /// Runs, if they were random.
    pub runs: u64,
    /// Bytes of all tables.
    pub bytes: u64,
    /// How many different values each part of a state has: what explodes is seen here.
    pub values: Vec<(String, usize)>,
    /// How long it took.
    pub time: Duration,
}

impl<M: Model> Report<M> {
    /// Whether all answers are what one wants to hear: everything holds, or is reached.
    pub fn is_ok(&self) -> bool {
        self.findings.iter().all(|finding| finding.verdict.is_ok())
    }

    /// The answer to a question.
    ///
    /// # Panics
    /// If there is no such question.
    #[track_caller]
    pub fn finding(&self, name: &str) -> &Finding<M> {
        match self.findings.iter().find(|finding| finding.name == name) {
            Some(finding) => finding,
            None => panic!("nothing that was asked is called {name:?}\n{self}"),
        }
    }

    /// For tests.
    ///
    /// # Panics
    /// With the report, unless all is [well](Report::is_ok). What nobody knows is not well.
    #[track_caller]
    pub fn assert_ok(&self) {
        assert!(self.is_ok(), "\n{self}");
    }

    /// The run that violates a property, for tests that a mistake is found.
    ///
    /// # Panics
    /// With the report, if it is not violated.
    #[track_caller]
    pub fn assert_violated(&self, name: &str) -> &Run<M> {
        match &self.finding(name).verdict {
            Verdict::Violated(run) => run,
            _ => panic!("{name:?} is not violated\n{self}"),
        }
    }

    /// 0: all is well; 1: something is violated, not reachable, or panics; 2: something cannot be
    /// asked; 3: nobody knows; 4: a mistake of lariat.
    pub fn code(&self) -> u8 {
        let code = |finding: &Finding<M>| match &finding.verdict {
            Verdict::Holds | Verdict::Reached(_) => 0,
            Verdict::Violated(_) | Verdict::Unreachable | Verdict::Panicked(..) => 1,
            Verdict::Inconclusive(Reason::Refused(_) | Reason::Broken(_)) => 2,
            Verdict::Inconclusive(Reason::Internal(_)) => 4,
            Verdict::Inconclusive(_) => 3,
        };
        let codes: Vec<u8> = self.findings.iter().map(code).collect();
        [4, 2, 1, 3].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
    }

    /// The same, for `main`.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }
}

impl<M: Model> fmt::Debug for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<M: Model> fmt::Display for Report<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            self.show(finding, f)?;
        }
        writeln!(f, "{}", self.stats)
    }
}

impl<M: Model> Report<M> {
    fn show(&self, finding: &Finding<M>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &finding.name;
        match &finding.verdict {
            Verdict::Holds if self.stats.beyond > 0 => {
                writeln!(f, "{name}: holds within the boundary")?;
            }
            Verdict::Holds => writeln!(f, "{name}: holds")?,
            Verdict::Unreachable if self.stats.beyond > 0 => {
                writeln!(f, "{name}: UNREACHABLE within the boundary")?;
            }
            Verdict::Unreachable => writeln!(f, "{name}: UNREACHABLE")?,
            Verdict::Reached(run) => {
                writeln!(f, "{name}: reached in {}", counted(run.actions.len() as u64, "step"))?;
            }
            Verdict::Violated(run) => write!(f, "{name}: VIOLATED\n{run}")?,
            Verdict::Panicked(text, run) => write!(f, "{name}: PANIC: {text}\n{run}")?,
            Verdict::Inconclusive(reason) => writeln!(f, "{name}: INCONCLUSIVE: {reason}")?,
        }
        match &finding.hint {
            Some(hint) => writeln!(f, "  {hint}"),
            None => Ok(()),
        }
    }
}

fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.runs > 0 {
            write!(f, "{}, ", counted(self.runs, "random run"))?;
        }
        write!(f, "{}, {}", counted(self.states, "state"), counted(self.transitions, "step"))?;
        if self.depth > 0 {
            write!(f, ", depth {}", self.depth)?;
        }
        if self.ends > 0 {
            write!(f, ", {}", counted(self.ends, "end"))?;
        }
        if self.beyond > 0 {
            write!(f, ", {} beyond the boundary", counted(self.beyond, "step"))?;
        }
        if self.product_states > 0 {
            write!(f, ", {}", counted(self.product_states, "product state"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { states, expanded, bytes, level, depth, time } = self;
        let (mb, seconds) = (*bytes as f64 / 1e6, time.as_secs_f64());
        write!(f, "{states} states, {expanded} expanded, ")?;
        match (level, depth) {
            (Some((level, size)), _) => {
                write!(f, "level {level} with {}, ", counted(*size, "state"))?
            }
            (None, Some(depth)) => write!(f, "depth {depth}, ")?,
            (None, None) => {}
        }
        write!(f, "{mb:.0} MB, {seconds:.0} s")
    }
}

impl<M: Model> fmt::Debug for Run<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<M: Model> fmt::Display for Run<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |state: &M::State| format!("{state:?}");
        writeln!(f, "  initially")?;
        for line in diff::in_lines(&said(&self.states[0])) {
            writeln!(f, "        {line}")?;
        }
        let back = self.back_to.map(|back| &self.states[back]);
        let targets = self.states[1..].iter().chain(back);
        for (at, (action, to)) in self.actions.iter().zip(targets).enumerate() {
            if self.back_to == Some(at) {
                writeln!(f, "  then for ever:")?;
            }
            writeln!(f, "  {:>3}  {action:?}", at + 1)?;
            for line in diff::changes(&said(&self.states[at]), &said(to)) {
                writeln!(f, "        {line}")?;
            }
        }
        match self.rests() {
            true => writeln!(f, "  and there it rests for ever"),
            false => Ok(()),
        }
    }
}
