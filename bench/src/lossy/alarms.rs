//! Bit-state searches of small models, many times with other hash functions and sizes: what they find
//! must be there.

use lariat_testing::facts;
use lariat_verify::bounded::Keep;
use lariat_verify::{Asked, Bounded, Config, Model, Question, Status};

use crate::random::Rng;

/// What was seen.
#[derive(Default, Debug)]
pub struct Alarms {
    pub models: u64,
    pub questions: u64,
    pub runs: u64,
    /// Runs that were found where an exact search finds one.
    pub found: u64,
    /// Nothing was found where there is something.
    pub missed: u64,
    /// Found where there is nothing, or what the judge has refused.
    pub wrong: Vec<String>,
    /// Lossy searches that proved something.
    pub proofs: Vec<String>,
}

/// At least so many runs over all micro-models.
pub fn count(wanted: u64, seed: u64) -> Alarms {
    let mut alarms = Alarms::default();
    let mut cases = Vec::new();
    for folder in ["promela", "dve", "models"] {
        for path in facts(folder, 8) {
            let Ok(mut model) = Model::load(&path) else { continue };
            let asked = questions(&mut model);
            alarms.models += 1;
            for asked in asked {
                let exact = model.check(asked, &Config::default()).map(|answer| answer.status());
                if let Ok(exact @ (Status::Holds | Status::Violated)) = exact {
                    alarms.questions += 1;
                    cases.push((path.clone(), asked, exact));
                }
            }
        }
    }
    let mut rng = Rng::new(seed);
    while alarms.runs < wanted {
        for (path, asked, exact) in &cases {
            let mut model = Model::load(path).expect("it was read before");
            questions(&mut model);
            let keep = Keep::Bits {
                log_bits: 6 + rng.below(12) as u32,
                functions: 1 + rng.below(4) as u32,
            };
            let bounded = Bounded { keep, seed: rng.draw(), repeat: 1, swarm: None };
            let config = Config { bounded: Some(bounded), ..Config::default() };
            let said = model.check(*asked, &config).map(|answer| answer.status());
            let name = || format!("{}: {bounded:?}: {said:?}", path.display());
            alarms.runs += 1;
            match (&said, exact) {
                (Ok(Status::Violated), Status::Violated) => alarms.found += 1,
                (Ok(Status::Inconclusive), Status::Violated) => alarms.missed += 1,
                (Ok(Status::Inconclusive), _) => {}
                (Ok(Status::Holds), _) => alarms.proofs.push(name()),
                _ => alarms.wrong.push(name()),
            }
        }
    }
    alarms
}

/// Safety, and runs through the first global variable's values.
fn questions(model: &mut Model) -> Vec<Asked> {
    let first = model.loaded().model().globals.first().map(|global| global.name.clone());
    let mut all = vec![Question::Safety, Question::NonProgress, Question::Acceptance];
    if let Some(name) = first {
        all.push(Question::Ltl(format!("[] <> ({name} == 0)")));
        all.push(Question::Ltl(format!("<> [] ({name} == 0)")));
        all.push(Question::Invariant(format!("{name} < 3")));
    }
    all.into_iter().filter_map(|question| model.ask(question).ok()).collect()
}
