//! The semantic check of the sets on all micro-models.

use std::path::PathBuf;

use lariat_por::semantics::{Caps, Stats, check};
use lariat_por::{Looks, Reduction};
use lariat_testing::facts;

use crate::common::{SHORTCUTS, load, shorten};

/// Checks all sets of these models, in every way in which they may be given; how many models have
/// reduced states.
fn check_all(models: Vec<PathBuf>, caps: Caps, fairness: bool) -> usize {
    let (mut wrong, mut reduced) = (Vec::new(), 0);
    for path in models {
        let mut sum = Stats::default();
        for shortcuts in SHORTCUTS {
            let Some(model) = load(&path) else { continue };
            let model = shorten(model, shortcuts);
            let looks = Looks { propositions: &[], fairness };
            let Ok(mut reduction) = Reduction::new(&model, looks) else { continue };
            match check(&model, &mut reduction, caps) {
                Ok(stats) => sum.reduced += stats.reduced,
                Err(error) => wrong.push(format!("{} {shortcuts:?}: {error}", path.display())),
            }
        }
        reduced += (sum.reduced > 0) as usize;
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    reduced
}

const SMALL: Caps = Caps { states: 200, outside: 20 };

#[test]
fn sets_of_micro_models_are_persistent() {
    let reduced = check_all(facts("promela", 200), SMALL, false);
    assert!(reduced >= 30, "only {reduced} models were reduced");
    let reduced = check_all(facts("dve", 100), SMALL, false);
    assert!(reduced >= 5, "only {reduced} models were reduced");
}

#[test]
fn sets_of_small_systems_are_persistent() {
    let reduced = check_all(facts("models", 8), Caps::default(), false);
    assert!(reduced >= 5, "only {reduced} models were reduced");
}

#[test]
fn sets_for_fair_runs_disturb_nobody() {
    for folder in ["promela", "dve", "models"] {
        check_all(facts(folder, 8), SMALL, true);
    }
}
