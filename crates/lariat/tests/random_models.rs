//! lariat against live Spin on a few random models; `random-models` of the bench has more.

use std::path::PathBuf;

use lariat_bench::ltl::duel::{Agreement, Duel, Subject, arms, fight};
use lariat_bench::ltl::ours::Lariat;
use lariat_bench::random::Rng;
use lariat_bench::versus::spin;

fn compare(subject: Subject, models: usize, seed: u64) {
    assert!(spin::is_installed(), "this test needs spin and gcc");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_lariat"));
    let lariat = Lariat { program, limit_seconds: 60, folder: std::env::temp_dir() };
    let mut seeds = Rng::new(seed);
    let mut fought = 0;
    while fought < models {
        let seed = seeds.draw();
        let model = || format!("seed {seed}:\n{}", arms(seed, subject).0);
        match fight(seed, subject, &lariat).expect("programs can be started") {
            Ok(Duel::Refused(_)) => {}
            Ok(Duel::Fought(bouts)) => {
                fought += usize::from(!bouts.is_empty());
                for bout in bouts {
                    let agreement = bout.agreement();
                    assert_ne!(agreement, Agreement::Different, "{bout:?} {}", model());
                }
            }
            Err(message) => panic!("{message} {}", model()),
        }
    }
}

#[test]
#[ignore = "needs spin and gcc"]
fn formulas() {
    compare(Subject::Formulas(6), 6, 1);
}

#[test]
#[ignore = "needs spin and gcc"]
fn non_progress() {
    compare(Subject::NonProgress, 4, 2);
}

#[test]
#[ignore = "needs spin and gcc"]
fn acceptance() {
    compare(Subject::Acceptance, 4, 3);
}
