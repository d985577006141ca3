//! The net on a few random models, and on the models of `tests/net`, which it found once: every
//! switch must agree with every other (docs/net.md).

use std::path::{Path, PathBuf};
use std::time::Duration;

use lariat_bench::net::ask::{asked, groups};
use lariat_bench::net::case::Language;
use lariat_bench::net::compare::{Told, compare};
use lariat_bench::net::config::{Config, Picker};
use lariat_bench::net::found;
use lariat_bench::net::hunt::{Hunt, hunt, source};
use lariat_bench::net::run::Runner;
use lariat_bench::net::switches::SWITCHES;
use lariat_bench::versus::spin;

fn lariat() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_lariat"))
}

fn run(models: u64, seed: u64, spin_every: u64) {
    let work = Hunt {
        lariat: lariat(),
        models,
        jobs: 2,
        seed,
        configs: 9,
        spin_every,
        mistake: None,
        out: None,
        most_findings: 3,
        limit: Duration::from_secs(600),
        shows_progress: false,
    };
    let tally = hunt(&work, &mut source(seed, Default::default())).expect("lariat can be started");
    assert!(tally.answers > 20 * models, "seed {seed}: {} answers", tally.answers);
    let texts: Vec<&str> = tally.caught.iter().map(|caught| caught.text.as_str()).collect();
    assert!(texts.is_empty(), "seed {seed}:\n{}", texts.join("\n"));
    assert!(spin_every == 0 || tally.by_spin > 0, "seed {seed}: Spin answered nothing");
}

#[test]
fn all_switches_agree() {
    run(30, 1, 0);
}

#[test]
#[ignore = "needs spin and gcc"]
fn spin_agrees() {
    assert!(spin::is_installed(), "spin and gcc are not installed");
    run(25, 2, 1);
}

/// Each file that the net wrote: what is expected, by every setting of every switch and some
/// combinations.
#[test]
fn findings_stay_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/net");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut runner = Runner::new(&lariat(), "findings").unwrap();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_dve = file.extension().is_some_and(|extension| extension == "dve");
        let language = if is_dve { Language::Dve } else { Language::Promela };
        let (case, expected) = found::read(&text, language).unwrap();
        let asked = asked(&case);
        runner.write_model(&case).unwrap();
        let mut told = Vec::new();
        for config in configs() {
            for group in groups(&asked) {
                for (number, answer) in runner.ask(&case, &asked, &group, &config).unwrap() {
                    let (beside, config) = (group.clone(), config.clone());
                    told.push(Told { number, beside, config, answer });
                }
            }
        }
        let findings = compare(&asked, &told);
        assert!(findings.is_empty(), "{}: {findings:#?}", file.display());
        for (number, expected) in (1..).zip(&expected) {
            let plain = told.iter().find(|told| told.number == number).unwrap();
            if let Some(expected) = expected {
                assert_eq!(plain.answer.said, *expected, "{}: {number}", file.display());
            }
        }
    }
}

/// The plainest, the usual one, each setting beside the plainest and the usual one, and some more.
fn configs() -> Vec<Config> {
    let mut configs = vec![Config::plain(), Config::usual()];
    for (at, switch) in SWITCHES.iter().enumerate() {
        for setting in 0..switch.settings.len() {
            configs.extend([Config::plain().with(at, setting), Config::usual().with(at, setting)]);
        }
    }
    let mut picker = Picker::new(1);
    configs.extend((0..10).map(|_| picker.pick()));
    let mut all: Vec<Config> = Vec::new();
    for config in configs {
        if !all.contains(&config) {
            all.push(config);
        }
    }
    all
}
