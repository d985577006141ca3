//! How many states a model has with and without reduction, on the interpreter, without any
//! precaution against putting actions off for ever.
//!
//!     cargo run --release -p lariat-por --example reduce -- FILE [exact]

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::time::Instant;

use lariat_core::Word;
use lariat_model::interp::{Expansion, Interp, row};
use lariat_model::ir::Model;
use lariat_model::shortcuts::{self, Shortcuts};
use lariat_model::{dve, promela};
use lariat_por::{Choice, Looks, Reduction};

const MOST_STATES: usize = 2_000_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("the name of a model");
    let shortcuts = match arguments.next().as_deref() {
        Some("exact") => Shortcuts::NONE,
        _ => Shortcuts::ALL,
    };
    let Some(mut model) = load(Path::new(&file)) else {
        println!("{file}: no model");
        return;
    };
    shortcuts::apply(&mut model, &[], shortcuts);
    let (full, steps) = count(&model, None);
    match Reduction::new(&model, Looks { propositions: &[], fairness: false }) {
        Err(reason) => println!("{file}: {full} states, no reduction: {reason}"),
        Ok(mut reduction) => {
            let start = Instant::now();
            let (reduced, kept) = count(&model, Some(&mut reduction));
            let seconds = start.elapsed().as_secs_f64();
            let bytes = reduction.bytes();
            println!(
                "{file}: {full} states {steps} steps, reduced {reduced} states {kept} steps \
                 ({:.3}); {seconds:.1} s, tables {bytes} bytes",
                reduced as f64 / full as f64
            );
        }
    }
}

fn load(path: &Path) -> Option<Model> {
    if path.extension().is_some_and(|ending| ending == "dve") {
        let text = std::fs::read_to_string(path).ok()?;
        let options = dve::DveOptions { property: false };
        return Some(dve::load_text(&path.to_string_lossy(), &text, options).ok()?.model);
    }
    Some(promela::load(path, &Default::default()).ok()?.model)
}

/// States and steps.
fn count<'m>(model: &'m Model, mut reduction: Option<&mut Reduction<'m>>) -> (usize, usize) {
    let mut interp = Interp::new(model).without_divergences();
    let Ok(initial) = interp.initial() else { return (0, 0) };
    let mut known = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let (mut steps, mut found, mut kinds) = (0, Expansion::new(), Vec::new());
    while let Some((state, hidden)) = queue.pop_front() {
        found.clear();
        interp.successors(&state, &hidden, &mut found);
        let choice = match &mut reduction {
            None => Choice::All,
            Some(reduction) => {
                let mut counts = vec![0; 256];
                (0..found.len()).for_each(|at| counts[found.moves(at)[0].pid as usize] += 1);
                let mut words: Vec<Word> = vec![0; row::words_for(&state, &hidden)];
                row::pack(&state, &hidden, &mut words);
                reduction.kinds(&words, &counts, &mut kinds);
                reduction.choose(&kinds)
            }
        };
        for at in 0..found.len() {
            let first = found.moves(at)[0].pid as usize;
            if matches!(choice, Choice::Only(set) if !set.contains(first)) {
                continue;
            }
            steps += 1;
            let next = (found.state(at).to_vec(), found.hidden(at).to_vec());
            if known.len() < MOST_STATES && known.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    (known.len(), steps)
}
