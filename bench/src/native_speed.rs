//! How fast code is made, and how fast it is, without any store:
//! `cargo run --release -p lariat-bench --bin native-speed -- MODEL…`
//!
//! The first states of each model are expanded again and again, by native code and by the
//! interpreter; times are for one transition.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lariat_codegen::NativeSpace;
use lariat_core::{Batch, Cursor, Successors, Word};
use lariat_model::interp::ModelSpace;
use lariat_model::ir::Model;
use lariat_model::{dve, promela};

const STATES: usize = 20_000;

fn main() {
    println!(
        "{:40} {:>8} {:>6} {:>9} {:>8} {:>8}",
        "model", "commands", "words", "compile", "native", "interp."
    );
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let model = match path.ends_with(".dve") {
            true => dve::load_text(&name, &text, dve::DveOptions { property: false })
                .map(|loaded| loaded.model),
            false => promela::load(Path::new(&path), &promela::PromelaOptions::default())
                .map(|loaded| loaded.model),
        };
        match model {
            Ok(model) => measure(&name, &model),
            Err(_) => println!("{name}: refused"),
        }
    }
}

fn measure(name: &str, model: &Model) {
    let mut width = ModelSpace::minimal_width(model);
    let (states, mut interpreter) = loop {
        let mut space = ModelSpace::new(model, width, Vec::new());
        let states = first_states(&mut space, width);
        if space.wanted_width() <= width {
            break (states, space);
        }
        width = space.wanted_width();
    };
    let mut native = NativeSpace::new(model, width, Vec::new());
    let start = Instant::now();
    if let Err(refusal) = native.compile() {
        println!("{name}: interpreted: {refusal}");
        return;
    }
    let compile = start.elapsed();
    let fast = per_transition(&mut native, &states, width);
    let slow = per_transition(&mut interpreter, &states, width);
    let commands = model.commands.len();
    let asked = native.counts().interpreted * 100
        / (native.counts().native + native.counts().interpreted).max(1);
    let asked =
        if asked > 0 { format!("  ({asked} % of the states interpreted)") } else { String::new() };
    println!(
        "{name:40} {commands:>8} {width:>6} {:>6.1} ms {fast:>5.1} ns {slow:>5.0} ns{asked}",
        compile.as_secs_f64() * 1e3
    );
}

/// The states that a breadth-first search sees first, one after the other.
fn first_states(space: &mut ModelSpace<'_>, width: usize) -> Vec<Word> {
    let mut batch = space.batch(usize::MAX);
    space.initial(&mut batch);
    let mut known: HashSet<Vec<Word>> = HashSet::new();
    let mut states: Vec<Word> = Vec::new();
    let mut next = 0;
    loop {
        for at in 0..batch.len() {
            if known.len() < STATES && known.insert(batch.row(at).to_vec()) {
                states.extend_from_slice(batch.row(at));
            }
        }
        if next * width >= states.len() {
            return states;
        }
        batch.clear();
        let row = states[next * width..][..width].to_vec();
        space.expand(&row, &mut Cursor(0), &mut batch);
        next += 1;
    }
}

/// Nanoseconds; the best of some rounds.
fn per_transition<S: Successors<Batch = lariat_core::Flat>>(
    space: &mut S,
    states: &[Word],
    width: usize,
) -> f64 {
    let mut batch = space.batch(usize::MAX);
    let mut best = f64::MAX;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(400) {
        let mut transitions = 0;
        let start = Instant::now();
        for row in states.chunks_exact(width) {
            batch.clear();
            space.expand(row, &mut Cursor(0), &mut batch);
            transitions += batch.len();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / transitions.max(1) as f64);
    }
    best
}
