//! Other translators, run as commands whose output is a never claim or HOA.

use crate::formula::{Binary, Formulas, Ltl, Node};
use crate::never;
use crate::nnf::Normaliser;
use crate::syntax::{Dialect, Printer};
use lariat_automata::symbolic::{Bdd, Symbolic};
use lariat_automata::{Label, Tgba};
use std::fmt;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A command, in which `%s` becomes the formula in Spin's syntax and `%f` in Spot's.
#[derive(Clone, Debug)]
pub struct External {
    /// Run by the shell.
    pub command: String,
    /// It is killed after that.
    pub timeout: Duration,
}

/// Why there is no automaton.
#[derive(Debug)]
pub enum ExternalError {
    /// It took too long.
    Timeout,
    /// It could not be started, or failed, and what it said.
    Failed(String),
    /// Its output is no automaton, and why.
    Unreadable(String),
}

impl fmt::Display for ExternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalError::Timeout => write!(f, "took too long"),
            ExternalError::Failed(why) => write!(f, "failed: {why}"),
            ExternalError::Unreadable(why) => write!(f, "its output cannot be read: {why}"),
        }
    }
}

impl std::error::Error for ExternalError {}

impl External {
    /// The automaton over the propositions `aps`; none if the formula has an X and the
    /// command takes Spin's syntax, where X is usually not compiled in.
    pub(super) fn translate(
        &self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Option<Symbolic>, ExternalError> {
        if self.command.contains("%s") && !all.classes(f).next_free() {
            return Ok(None);
        }
        let core = core(all, f);
        let spin = Printer::new(all).dialect(Dialect::Spin).explicit().text(core);
        let spot = Printer::new(all).text(f);
        let command = self.command.replace("%s", &quoted(&spin)).replace("%f", &quoted(&spot));
        let output = self.run(&command)?;
        let automaton = read(&output).map_err(ExternalError::Unreadable)?;
        let names: Vec<String> =
            aps.iter().map(|&ap| all.ap_names()[ap as usize].clone()).collect();
        let automaton = over(automaton, &names).map_err(ExternalError::Unreadable)?;
        Ok(Some(Symbolic::from_tgba(&automaton, bdd)))
    }

    fn run(&self, command: &str) -> Result<String, ExternalError> {
        let failed = |error: std::io::Error| ExternalError::Failed(error.to_string());
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let Some(mut out) = child.stdout.take() else {
            return Err(ExternalError::Failed("no output".to_owned()));
        };
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            out.read_to_string(&mut text).map(|_| text)
        });
        let start = Instant::now();
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None if start.elapsed() > self.timeout => {
                    child.kill().map_err(failed)?;
                    child.wait().map_err(failed)?;
                    return Err(ExternalError::Timeout);
                }
                None => std::thread::sleep(Duration::from_micros(300)),
            }
        };
        let text = match reader.join() {
            Ok(text) => text.map_err(failed)?,
            Err(_) => return Err(ExternalError::Failed("its output was lost".to_owned())),
        };
        match status.success() {
            true => Ok(text),
            false if text.trim().is_empty() => Err(ExternalError::Failed(status.to_string())),
            false => Err(ExternalError::Failed(format!("{status}: {}", text.trim()))),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Without W and M, which `spin -f` does not know.
fn core(all: &mut Formulas, f: Ltl) -> Ltl {
    let normal = Normaliser::default().normal(all, f);
    let mut done: rustc_hash::FxHashMap<Ltl, Ltl> = rustc_hash::FxHashMap::default();
    for g in all.subformulas(normal) {
        let of = |h: &Ltl| done[h];
        let result = match all.node(g).clone() {
            Node::False | Node::True | Node::Ap(_) => g,
            Node::Not(a) => {
                let a = of(&a);
                all.not(a)
            }
            Node::Next(a) => {
                let a = of(&a);
                all.next(a)
            }
            Node::Finally(a) => {
                let a = of(&a);
                all.finally(a)
            }
            Node::Globally(a) => {
                let a = of(&a);
                all.globally(a)
            }
            Node::And(parts) => {
                let parts: Vec<Ltl> = parts.iter().map(of).collect();
                all.and(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Ltl> = parts.iter().map(of).collect();
                all.or(parts)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (of(&a), of(&b));
                match op {
                    // a W b = b R (a | b);  a M b = b U (a & b)
                    Binary::WeakUntil => {
                        let either = all.or2(a, b);
                        all.release(b, either)
                    }
                    Binary::StrongRelease => {
                        let both = all.and2(a, b);
                        all.until(b, both)
                    }
                    _ => all.binary(op, a, b),
                }
            }
        };
        done.insert(g, result);
    }
    done[&normal]
}

fn read(text: &str) -> Result<Tgba, String> {
    if text.trim_start().starts_with("never") {
        return never::read(text).map_err(|error| error.render(text, "output", 1));
    }
    let mut reader = lariat_automata::hoa::Reader::new(text, "output");
    match reader.next() {
        Some(Ok(automaton)) => Ok(automaton),
        Some(Err(error)) => Err(reader.render(&error)),
        None => Err("there is no automaton".to_owned()),
    }
}

/// The automaton with its propositions numbered as in `names`.
fn over(mut automaton: Tgba, names: &[String]) -> Result<Tgba, String> {
    let mut numbers = Vec::new();
    for name in &automaton.aps {
        let number = names.iter().position(|other| other == name);
        numbers.push(number.ok_or_else(|| format!("unknown proposition `{name}`"))? as u32);
    }
    fn renumber(label: &Label, numbers: &[u32]) -> Label {
        let each = |parts: &[Label]| parts.iter().map(|p| renumber(p, numbers)).collect::<Vec<_>>();
        match label {
            Label::True => Label::True,
            Label::False => Label::False,
            Label::Ap(ap) => Label::Ap(numbers[*ap as usize]),
            Label::Not(inner) => renumber(inner, numbers).negated(),
            Label::And(parts) => Label::and(each(parts)),
            Label::Or(parts) => Label::or(each(parts)),
        }
    }
    for edge in automaton.edges.iter_mut().flatten() {
        edge.label = renumber(&edge.label, &numbers);
    }
    automaton.aps = names.to_vec();
    Ok(automaton)
}
