//! The semantic check of the reduction's sets (T2 of docs/por.md) on the models of a folder, or on
//! random ones: one line for each model.
//! `cargo run --release -p lariat-bench --bin por-semantics -- FOLDER`

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use lariat_bench::net::case::{About, Case, Language};
use lariat_bench::net::coverage::Coverage;
use lariat_bench::net::{dve as random_dve, promela as random_promela};
use lariat_bench::random::Rng;
use lariat_model::ir::expr::{Instance, RemoteLabel};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Expr, ExprId, LocationId, Model};
use lariat_model::shortcuts::{self, Shortcuts};
use lariat_model::{dve, promela};
use lariat_por::semantics::{Caps, Stats, check};
use lariat_por::{Looks, Reason, Reduction};
use lariat_syntax::diagnostics::Span;
use lariat_testing::{PROMELA, files};

/// Checks by definition that the sets of the partial-order reduction are right
#[derive(Parser)]
struct Args {
    /// A model, or a folder of models
    path: Option<PathBuf>,
    /// Check so many random models of each language instead
    #[arg(long, value_name = "N", conflicts_with = "path")]
    random: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// States of the reduced graph that are looked at
    #[arg(long, default_value_t = 600)]
    states: usize,
    /// States that others reach from each of them
    #[arg(long, default_value_t = 40)]
    outside: usize,
    /// Stop after so many wrong sets
    #[arg(long, default_value_t = 20)]
    most: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let caps = Caps { states: args.states, outside: args.outside };
    let mut tally = Tally { caps, rng: Rng::new(args.seed), models: 0, reduced: 0, wrong: 0 };
    match (&args.path, args.random) {
        (Some(path), _) => {
            for file in models(path) {
                if tally.wrong < args.most {
                    tally.model(&file.display().to_string(), || Given::read(&file));
                }
            }
        }
        (None, Some(count)) => tally.random(count, args.seed, args.most),
        (None, None) => {
            eprintln!("por-semantics: name a folder, or ask for --random N");
            return ExitCode::from(2);
        }
    }
    println!(
        "{} models, {} with reduced states, {} wrong; seed {}",
        tally.models, tally.reduced, tally.wrong, args.seed
    );
    if tally.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A model, and expressions that a property may look at.
struct Given {
    model: Model,
    propositions: Vec<ExprId>,
}

impl Given {
    fn read(path: &Path) -> Option<Given> {
        let text = std::fs::read_to_string(path).ok()?;
        if path.extension().is_some_and(|ending| ending == "dve") {
            return Given::of_dve(&text, &[]);
        }
        let loaded = promela::load(path, &Default::default()).ok()?;
        Some(Given { model: loaded.model, propositions: Vec::new() })
    }

    fn of_case(case: &Case) -> Option<Given> {
        let texts: Vec<&str> = (case.questions.iter())
            .filter_map(|question| match &question.about {
                About::Invariant(text) | About::Reach(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let text = case.model.to_string();
        match case.language {
            Language::Dve => Given::of_dve(&text, &texts),
            Language::Promela => {
                let mut options = promela::PromelaOptions::default();
                options.lower.message_loss = case.lossy;
                let mut loaded = promela::load_text("random.pml", &text, &options).ok()?;
                let propositions =
                    texts.iter().filter_map(|text| loaded.add_expression("p", text).ok()).collect();
                Some(Given { model: loaded.model, propositions })
            }
        }
    }

    fn of_dve(text: &str, texts: &[&str]) -> Option<Given> {
        let options = dve::DveOptions { property: false };
        let mut loaded = dve::load_text("model.dve", text, options).ok()?;
        let propositions =
            texts.iter().filter_map(|text| dve::expression(&mut loaded, "p", text).ok()).collect();
        Some(Given { model: loaded.model, propositions })
    }
}

struct Tally {
    caps: Caps,
    rng: Rng,
    models: u64,
    reduced: u64,
    wrong: usize,
}

impl Tally {
    fn random(&mut self, count: u64, seed: u64, most: usize) {
        let mut coverage = Coverage::new();
        for number in 0..count {
            for language in [Language::Promela, Language::Dve] {
                if self.wrong >= most {
                    return;
                }
                let seed = seed.wrapping_mul(1 << 32).wrapping_add(number);
                let case = match language {
                    Language::Promela => random_promela::case(seed, &mut coverage),
                    Language::Dve => random_dve::case(seed, &mut coverage),
                };
                let name = format!("{language:?} {seed}");
                let before = self.wrong;
                self.model(&name, || Given::of_case(&case));
                if self.wrong > before {
                    println!("{}", case.model);
                }
            }
        }
    }

    /// One model in all ways: each setting of the shortcuts, with and without something to see, with and
    /// without fairness.
    fn model(&mut self, name: &str, given: impl Fn() -> Option<Given>) {
        let mut sum = Stats::default();
        let mut refused: Option<Reason> = None;
        for way in 0..6 {
            let Some(Given { mut model, propositions }) = given() else {
                println!("{name}: no model");
                return;
            };
            let seen = match way {
                0 | 1 => Vec::new(),
                2 => propositions,
                _ => vec![self.something(&mut model)],
            };
            let fairness = way == 5;
            let which = match way % 3 {
                0 => Shortcuts::ALL,
                1 => Shortcuts::NONE,
                _ => Shortcuts { merge: false, ..Shortcuts::ALL },
            };
            shortcuts::apply(&mut model, &seen, which);
            let looks = Looks { propositions: &seen, fairness };
            let mut reduction = match Reduction::new(&model, looks) {
                Ok(reduction) => reduction,
                Err(reason) => {
                    refused = Some(reason);
                    continue;
                }
            };
            match check(&model, &mut reduction, self.caps) {
                Ok(stats) => {
                    sum.states += stats.states;
                    sum.reduced += stats.reduced;
                    sum.squares += stats.squares;
                }
                Err(violation) => {
                    println!("{name}: WRONG in way {way}: {violation}");
                    self.wrong += 1;
                    return;
                }
            }
        }
        self.models += 1;
        self.reduced += (sum.reduced > 0) as u64;
        let Stats { states, reduced, squares, .. } = sum;
        match refused.filter(|_| states == 0) {
            Some(reason) => println!("{name}: no reduction: {reason}"),
            None => println!("{name}: {states} states, {reduced} reduced, {squares} squares"),
        }
    }

    /// Something that a property may look at.
    fn something(&mut self, model: &mut Model) -> ExprId {
        let globals = model.globals.len() as u64;
        let processes = model.initial_processes.len() as u64;
        let is_promela = model.discipline == Discipline::Spin;
        let expr = match self.rng.below(8) {
            0 if is_promela => Expr::NrProcesses,
            1 if is_promela => Expr::NonProgress,
            2 if is_promela => Expr::AtAccept,
            3 | 4 if processes > 0 => {
                let pid = self.rng.below(processes);
                let proctype = model.initial_processes[pid as usize].proctype;
                let many = model.proctype(proctype).locations.len() as u64;
                let location = LocationId(self.rng.below(many) as u16);
                let pid = model.exprs.add(Expr::Const(pid as i32), Span::NOWHERE);
                let instance = Instance { proctype, pid: Some(pid) };
                Expr::At(Box::new(RemoteLabel { instance, location, label: String::new() }))
            }
            _ if globals > 0 => {
                let variable = &model.globals[self.rng.below(globals) as usize];
                Expr::Var(variable.region, variable.offset, variable.scalar)
            }
            _ => Expr::Const(1),
        };
        model.exprs.add(expr, Span::NOWHERE)
    }
}

fn models(path: &Path) -> Vec<PathBuf> {
    match path.is_file() {
        true => vec![path.to_path_buf()],
        false => files(path, &[PROMELA, &["dve"]].concat()),
    }
}
