//! Never claims as automata, with the verdicts of Spin 6.5.2 on the claims of
//! `facts/promela` (215 to 222).

use lariat_core::{Emptiness, FlatArena};
use lariat_model::claim::ClaimAutomaton;
use lariat_model::interp::ModelSpace;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::emptiness::nested::se;
use lariat_search::product::{FiniteRuns, Product};
use lariat_store::Exact;
use lariat_system::{Stop, System, with_room};

/// Whether the claim of the model is violated: it accepts a run, which stutters where the
/// system is blocked.
fn is_violated(text: &str) -> bool {
    let loaded = load_text("m.pml", text, &PromelaOptions::default()).unwrap();
    let model = &loaded.model;
    let claim = ClaimAutomaton::new(model, model.claims[0]).unwrap();
    let propositions = claim.propositions();
    let checked = with_room(model, |room| {
        let steps = Box::new(ModelSpace::new(model, room.width, propositions.to_vec()));
        let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
        let mut system = System::of_runs(model, steps, propositions, |_, _| true, flat);
        let mut product = Product::new(&mut system, &claim, FiniteRuns::Stutter);
        let outcome = se::check(&mut product, &mut Exact::new(Vec::new()), Default::default());
        match outcome.verdict {
            Emptiness::Found(_) => Ok(true),
            Emptiness::Empty { .. } => Ok(false),
            Emptiness::Inconclusive(limit) => {
                Err(product.why_stopped().unwrap_or(Stop::Limit(limit)))
            }
        }
    });
    checked.expect("an answer")
}

#[test]
fn claims() {
    let progress = "byte x; init { do :: x = 1; progress: x = 2 :: x = 3 od }
        never { do :: true :: np_ -> goto accept od; accept: do :: np_ od }";
    assert!(is_violated(progress));
    let all_progress = progress.replace(":: x = 3 ", "");
    assert!(!is_violated(&all_progress));
    let reaches_end = "byte x; init { x = 1; x = 2 }
        never { do :: x == 2 -> break :: else od }";
    assert!(is_violated(reaches_end));
    let stuck = "byte x; init { x = 1; x = 2 } never { accept: do :: x == 0 od }";
    assert!(!is_violated(stuck));
    let at_deadlock = "byte x; init { x = 1; x = 2; x == 9 }
        never { do :: x != 2 :: x == 2 -> goto accept od; accept: do :: x == 2 od }";
    assert!(is_violated(at_deadlock));
    let at_the_end = at_deadlock.replace("; x == 9", "");
    assert!(is_violated(&at_the_end));
    let enabled = "byte x; active proctype P() { x = 1; x == 2 }
        never { do :: !enabled(0) -> break :: else od }";
    assert!(is_violated(enabled));
    let assertion = "byte x; init { x = 1; x = 2 } never { do :: assert(x < 2) od }";
    assert!(is_violated(assertion));
    assert!(!is_violated(&assertion.replace("x < 2", "x < 3")));
}
