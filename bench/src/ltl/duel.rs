//! Both tools on a random model.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::Verdict;
use super::ours::Lariat;
use super::pan::Pan;
use crate::random::{Labels, Rng, Shape, formula, model};
use crate::versus::spin::Scratch;

/// What is asked about models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Formulas, so many for each model.
    Formulas(usize),
    NonProgress,
    Acceptance,
}

/// One question and its answers.
#[derive(Clone, Debug)]
pub struct Bout {
    pub question: String,
    pub fair: bool,
    pub spin: Verdict,
    pub ours: Verdict,
    /// By `--fair spin`, where fairness is asked for.
    pub by_spins_fairness: Option<Verdict>,
    pub has_rendezvous: bool,
    /// By `--finite-runs ignore`, where Spin does not see a run that lariat shows.
    pub of_infinite_runs: Option<Verdict>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    Equal,
    /// They differ in what fairness is due to a process that waits for a rendezvous, and only
    /// in that: with Spin's reading lariat says the same.
    Rendezvous,
    /// With `-f` Spin loses the run, which lariat replays, in which all processes come to rest:
    /// its counter of processes does not come round. Without `-f` it reports the same run.
    Rest,
    Different,
    /// One of them came to a limit.
    Open,
}

impl Bout {
    pub fn agreement(&self) -> Agreement {
        let by_spins_fairness = self.by_spins_fairness.unwrap_or(self.ours);
        let answers = [self.spin, self.ours, by_spins_fairness];
        if answers.contains(&Verdict::Cut) {
            Agreement::Open
        } else if self.of_infinite_runs == Some(Verdict::Holds) {
            Agreement::Rest
        } else if by_spins_fairness != self.spin {
            Agreement::Different
        } else if self.ours == self.spin {
            Agreement::Equal
        } else if self.has_rendezvous {
            Agreement::Rendezvous
        } else {
            Agreement::Different
        }
    }
}

/// What became of a model.
pub enum Duel {
    /// Spin does not take it, or neither does lariat.
    Refused(String),
    Fought(Vec<Bout>),
}

/// The model of a seed, and the formulas about it.
pub fn arms(seed: u64, subject: Subject) -> (String, Shape, Vec<String>) {
    let mut rng = Rng::new(seed);
    let labels = match subject {
        Subject::Formulas(_) => Labels::Plain,
        Subject::NonProgress => Labels::Progress,
        Subject::Acceptance => Labels::Accept,
    };
    let (mut text, shape) = model(&mut rng, labels);
    let count = if let Subject::Formulas(count) = subject { count } else { 0 };
    let formulas: Vec<String> = (0..count).map(|_| formula(&mut rng, &shape)).collect();
    for (number, formula) in formulas.iter().enumerate() {
        text += &format!("ltl p{number} {{ {formula} }}\n");
    }
    (text, shape, formulas)
}

/// Both tools on the model of a seed. Errors are those of the system; a tool that fails is a
/// message.
pub fn fight(seed: u64, subject: Subject, lariat: &Lariat) -> io::Result<Result<Duel, String>> {
    let (text, shape, formulas) = arms(seed, subject);
    let scratch = Scratch::new(&format!("duel-{seed:x}"))?;
    let file = scratch.path().join("model.pml");
    std::fs::write(&file, &text)?;
    let flags: &[&str] = if subject == Subject::NonProgress { &["-DNP"] } else { &[] };
    let pan = match Pan::build(&file, flags, seed as usize)? {
        Ok(pan) => pan,
        Err(complaint) => {
            // Spin refuses a few combinations, such as `else` beside a receive.
            return Ok(match lariat.check(&file, &["--safety"]) {
                Err(_) => Ok(Duel::Refused("both".to_owned())),
                Ok(_) => Ok(Duel::Refused(complaint)),
            });
        }
    };
    let mut questions: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for (number, formula) in formulas.iter().enumerate() {
        let name = format!("p{number}");
        let of_spin = ["-a", "-N", &name].map(str::to_owned).to_vec();
        let ours = ["--property", &name].map(str::to_owned).to_vec();
        questions.push((format!("{name}: {formula}"), of_spin, ours));
    }
    match subject {
        Subject::NonProgress => questions.push((
            "non-progress".to_owned(),
            vec!["-l".to_owned()],
            vec!["--non-progress".to_owned()],
        )),
        Subject::Acceptance if text.contains("accept_") => questions.push((
            "accept".to_owned(),
            vec!["-a".to_owned()],
            ["--property", "accept"].map(str::to_owned).to_vec(),
        )),
        _ => {}
    }
    let asking = Asking { file: &file, pan: &pan, lariat, shape: &shape };
    let mut bouts = Vec::new();
    for (question, of_spin, ours) in &questions {
        for fair in [false, true] {
            match asking.ask(question, of_spin, ours, fair)? {
                Ok(bout) => bouts.push(bout),
                Err(message) => return Ok(Err(format!("{question}, fair {fair}: {message}"))),
            }
        }
    }
    Ok(Ok(Duel::Fought(bouts)))
}

struct Asking<'a> {
    file: &'a Path,
    pan: &'a Pan,
    lariat: &'a Lariat,
    shape: &'a Shape,
}

impl Asking<'_> {
    fn ask(
        &self,
        question: &str,
        of_spin: &[String],
        ours: &[String],
        fair: bool,
    ) -> io::Result<Result<Bout, String>> {
        let limit = Duration::from_secs(self.lariat.limit_seconds);
        let mut for_pan: Vec<&str> = of_spin.iter().map(String::as_str).collect();
        if fair {
            for_pan.push("-f");
        }
        let spin = match self.pan.run(&for_pan, limit)? {
            Ok(spin) => spin,
            Err(said) => return Ok(Err(format!("pan: {said}"))),
        };
        let check = |more: &[&str]| {
            let args: Vec<&str> =
                ours.iter().map(String::as_str).chain(more.iter().copied()).collect();
            self.lariat.check(self.file, &args)
        };
        let answers = match fair {
            false => check(&[]).map(|ours| (ours, None)),
            true => check(&["--fair", "weak"])
                .and_then(|ours| Ok((ours, Some(check(&["--fair", "spin"])?)))),
        };
        let mut of_infinite_runs = None;
        if fair && spin == Verdict::Holds && matches!(answers, Ok((_, Some(Verdict::Violated)))) {
            // Spin itself must report the run where fairness is not asked for.
            let unfair = self.pan.run(&for_pan[..for_pan.len() - 1], limit)?;
            if unfair == Ok(Verdict::Violated) {
                of_infinite_runs = check(&["--fair", "spin", "--finite-runs", "ignore"]).ok();
            }
        }
        Ok(answers.map(|(ours, by_spins_fairness)| Bout {
            question: question.to_owned(),
            fair,
            spin,
            ours,
            by_spins_fairness,
            has_rendezvous: self.shape.has_rendezvous,
            of_infinite_runs,
        }))
    }
}
