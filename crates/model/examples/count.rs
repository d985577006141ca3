//! Counts the states of Promela models: `cargo run --example count -- FILE…`, with `--ir` to
//! show the IR, `--stop` to stop at the first error, `--spin` to count as `pan -E -A -c0` does.

use std::path::Path;

use lariat_model::promela::{PromelaOptions, load};
use lariat_search::safety::{ErrorKind, ExploreOptions, explore};
use lariat_syntax::diagnostics::render;

fn main() {
    for name in std::env::args().skip(1) {
        if name.starts_with("--") {
            continue;
        }
        let loaded = match load(Path::new(&name), &PromelaOptions::default()) {
            Ok(loaded) => loaded,
            Err(failure) => {
                for diagnostic in &failure.diagnostics {
                    println!("{}", render(&failure.sources, diagnostic, false));
                }
                continue;
            }
        };
        if std::env::args().any(|arg| arg == "--ir") {
            println!("{}", loaded.model);
        }
        let started = std::time::Instant::now();
        let stop_at_error = std::env::args().any(|arg| arg == "--stop");
        // As `pan -E -A -c0`.
        let spin = std::env::args().any(|arg| arg == "--spin");
        let options = ExploreOptions {
            stop_at_error,
            stop_at_fatal: spin,
            ignore_assertions: spin,
            ignore_end_states: spin,
            ..Default::default()
        };
        let found = explore(&loaded.model, &options);
        if let Ok(found) = &found
            && let Some(path) = &found.first_error
        {
            let steps = path.rows.len() - 1 + usize::from(!path.last.is_empty());
            println!("first error after {steps} steps: {:?}", path.error);
            if let ErrorKind::Fault(fault) = path.error {
                println!("  {:?}", loaded.model.sources.location(fault.span));
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        match found {
            Ok(found) => println!(
                "{name}: states {} matched {} transitions {} depth {} errors {:?} limit {:?} in {seconds:.2} s, {:.0} transitions/s, {} bytes",
                found.states,
                found.matched,
                found.stored_and_matched(),
                found.depth,
                found.errors,
                found.limit,
                found.transitions as f64 / seconds,
                found.memory
            ),
            Err(faults) => println!("{name}: the initial state is at fault: {faults:?}"),
        }
    }
}
