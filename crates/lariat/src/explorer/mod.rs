//! A model in Rust in the page of `lariat explore`.
//!
//! The page knows states as values of a type that it never sees, and steps as numbers of texts. Whatever belongs
//! to the user is called through [`caught`]: a panic is an answer, not the end of the server. Checks run
//! in a process of their own, as those of models in Promela do: the program starts itself once more, with
//! the same arguments, and [`Check::explore`] finds the task in its environment. So a check can be
//! cancelled whatever the model does, and may overflow its stack or take all memory.
//!
//! - `subject`: steps, values, charts
//! - `question`: formulas that somebody types, and what their propositions mean
//! - `lens`: properties along runs
//! - `runs`: runs that were found or saved, judged before they are shown
//! - `worker`: a check

mod lens;
mod question;
mod runs;
mod subject;
#[cfg(test)]
mod tests;
mod worker;

use crate::check::{Check, Claim, Store};
use crate::fairness::Condition;
use crate::graph::Limits;
use crate::model::Model;
use crate::panics::caught;
use crate::typed;
use lariat_explore::session::{self, Session};
use lariat_explore::start::{self, Place};
use std::collections::HashMap;
use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, MutexGuard};

/// In the environment of a program that is to do a check for the page.
const WORKER: &str = "LARIAT_EXPLORE_WORKER";

/// Where the page is to be.
#[derive(Default)]
pub(crate) struct Wanted {
    pub(crate) opens: bool,
    pub(crate) port: u16,
    pub(crate) listen: Option<String>,
}

impl<'m, M: Model> Check<'m, M> {
    /// Serves a page that shows runs of the model, lets one play with it, and asks the questions of this check:
    /// `docs/explore.md`. Prints its address, and ends with the program.
    ///
    /// For each check the program is started once more with the same arguments, so what comes before this call should
    /// not take long.
    pub fn explore(self) -> ExitCode {
        match self.explore_at(&Wanted::default()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                let _ = writeln!(io::stderr(), "error: {why}");
                ExitCode::from(2)
            }
        }
    }

    pub(crate) fn explore_at(self, wanted: &Wanted) -> Result<(), String> {
        let explorer = Explorer::new(self)?;
        if std::env::var_os(WORKER).is_some() {
            explorer.work();
            return Ok(());
        }
        let name = explorer.name.clone();
        let program = program()?;
        let arguments: Vec<_> = std::env::args_os().skip(1).collect();
        let worker = Box::new(move || {
            let mut command = Command::new(&program);
            command.args(&arguments).env(WORKER, "1");
            command
        });
        let session = Session::new(Box::new(explorer), session::Limits::default(), worker);
        let place = Place { port: wanted.port, listen: wanted.listen.clone(), page: None };
        start::serve(session, &place, |address| {
            let mut out = io::stdout();
            // Whoever cannot read it cannot use it.
            let _ = writeln!(out, "exploring {name} at {address}\nCtrl-C ends it");
            let _ = out.flush();
            if wanted.opens
                && let Err(why) = start::open(address)
            {
                let _ = writeln!(io::stderr(), "warning: {why}");
            }
        })
    }
}

/// This program, also if its file was replaced meanwhile, as `cargo build` does.
fn program() -> Result<std::path::PathBuf, String> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => {
            std::env::current_exe().map_err(|why| format!("the program cannot find itself: {why}"))
        }
    }
}

/// A model, what is asked about it, and what the page has met of it.
pub(crate) struct Explorer<'m, M: Model> {
    model: &'m M,
    claims: Vec<(String, Claim<'m, M::State>)>,
    conditions: Vec<Condition<'m, M::Action>>,
    limits: Limits,
    store: Store,
    /// The last word of its type.
    name: String,
    fingerprint: String,
    texts: Mutex<Texts>,
}

/// Names of processes, and texts of actions, by number.
#[derive(Default)]
struct Texts {
    processes: Vec<String>,
    actions: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Texts {
    /// Beyond the numbers that there are, processes share the last one.
    fn process(&mut self, name: String) -> u8 {
        let known = self.processes.iter().position(|known| *known == name);
        let at = known.unwrap_or_else(|| {
            if self.processes.len() < usize::from(u8::MAX) {
                self.processes.push(name);
            }
            self.processes.len() - 1
        });
        at as u8
    }

    fn action(&mut self, text: String) -> u32 {
        let Texts { actions, numbers, .. } = self;
        *numbers.entry(text).or_insert_with_key(|text| {
            actions.push(text.clone());
            actions.len() as u32 - 1
        })
    }
}

impl<'m, M: Model> Explorer<'m, M> {
    fn new(check: Check<'m, M>) -> Result<Self, String> {
        let Check { model, claims, conditions, limits, store, .. } = check;
        let initial = caught(|| {
            let states = typed::initial(model).map(|(state, _)| format!("{state:?}"));
            states.collect::<Vec<_>>()
        });
        let initial = initial.map_err(|panic| format!("`initial` panics: {panic}"))?;
        let whole = std::any::type_name::<M>();
        let plain = whole.split('<').next().unwrap_or(whole);
        let name = plain.rsplit("::").next().unwrap_or(plain).to_owned();
        let names = claims.iter().map(|(name, _)| name.as_str());
        let all = [whole].into_iter().chain(initial.iter().map(String::as_str)).chain(names);
        let fingerprint = fingerprint(all);
        let texts = Mutex::default();
        Ok(Explorer { model, claims, conditions, limits, store, name, fingerprint, texts })
    }

    fn known(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    fn claim(&self, name: &str) -> Option<&Claim<'m, M::State>> {
        self.claims.iter().find(|(known, _)| known == name).map(|(_, claim)| claim)
    }
}

/// FNV-1a: tells models apart, no more.
fn fingerprint<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    let print = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{print:016x}")
}
