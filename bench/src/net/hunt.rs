//! The long run: case after case, on several cores, each finding shrunk and written.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::ask::{self, asked};
use super::case::{Case, Language};
use super::check::{Checked, ask_all, check};
use super::compare::{Finding, What, is_not_spread};
use super::config::{Config, Picker};
use super::coverage::Coverage;
use super::dve;
use super::found::{self, spelled};
use super::promela;
use super::referee::referee;
use super::run::{Runner, Said, model_name};
use super::shrink::{Pinned, shrink};
use super::spin_rules::spin_is_wrong;
use super::switches::SWITCHES;
use crate::random::Rng;

/// What to do.
#[derive(Clone, Debug)]
pub struct Hunt {
    pub lariat: PathBuf,
    pub models: u64,
    pub jobs: usize,
    pub seed: u64,
    /// Configurations for each model, beside the plain one.
    pub configs: usize,
    /// Spin is asked about every so manieth model; 0 is never.
    pub spin_every: u64,
    /// The mistake that lariat is to make.
    pub mistake: Option<String>,
    /// Where findings are written.
    pub out: Option<PathBuf>,
    /// Stop after so many findings, or so long.
    pub most_findings: usize,
    pub limit: Duration,
    pub shows_progress: bool,
}

/// A finding at its end.
#[derive(Clone, Debug)]
pub struct Caught {
    pub what: What,
    pub seed: u64,
    /// The switches in which the two runs differ.
    pub switches: Vec<&'static str>,
    /// The file, as it is written.
    pub text: String,
    /// Lines of the model.
    pub lines: usize,
    /// Models before it, this one included, and how long it took.
    pub after: u64,
    pub elapsed: Duration,
}

/// What was done.
#[derive(Default)]
pub struct Tally {
    pub models: u64,
    pub runs: u64,
    pub questions: u64,
    pub answers: u64,
    pub by_spin: u64,
    pub open_by_spin: u64,
    /// Models that lariat refuses, models that Spin refuses, and answers that are none, by reason.
    pub refused: BTreeMap<String, u64>,
    pub refused_by_spin: BTreeMap<String, u64>,
    pub open: BTreeMap<String, u64>,
    pub verdicts: BTreeMap<&'static str, u64>,
    pub caught: Vec<Caught>,
    pub pairs: (usize, usize),
}

/// Cases are made in order, so that a run can be repeated.
struct Next<'a> {
    number: u64,
    picker: Picker,
    make: &'a mut (dyn FnMut(u64) -> Case + Send),
}

struct Shared<'a> {
    hunt: &'a Hunt,
    next: Mutex<Next<'a>>,
    tally: Mutex<Tally>,
    is_over: AtomicBool,
    done: AtomicU64,
    started: Instant,
}

/// Runs to the end. `make` makes the case of a number.
pub fn hunt(hunt: &Hunt, make: &mut (dyn FnMut(u64) -> Case + Send)) -> io::Result<Tally> {
    let next = Next { number: 0, picker: Picker::new(hunt.seed), make };
    let shared = Shared {
        hunt,
        next: Mutex::new(next),
        tally: Mutex::default(),
        is_over: AtomicBool::new(false),
        done: AtomicU64::new(0),
        started: Instant::now(),
    };
    std::thread::scope(|scope| {
        let job =
            |job| shared.work(job).inspect_err(|_| shared.is_over.store(true, Ordering::SeqCst));
        let jobs: Vec<_> = (0..hunt.jobs).map(|number| scope.spawn(move || job(number))).collect();
        jobs.into_iter().try_for_each(|job| job.join().expect("a job does not panic"))
    })?;
    let mut tally = shared.tally.into_inner().expect("no job panics");
    tally.pairs = shared.next.into_inner().expect("no job panics").picker.coverage();
    Ok(tally)
}

impl Shared<'_> {
    fn work(&self, job: usize) -> io::Result<()> {
        let name = format!("{job}-{}", self.hunt.mistake.as_deref().unwrap_or("none"));
        let mut runner = Runner::new(&self.hunt.lariat, &name)?;
        runner.mistake.clone_from(&self.hunt.mistake);
        loop {
            let is_late = self.started.elapsed() > self.hunt.limit;
            if is_late || self.is_over.load(Ordering::SeqCst) {
                return Ok(());
            }
            let (number, case, configs) = {
                let mut next = self.next.lock().expect("no job panics");
                if next.number == self.hunt.models {
                    return Ok(());
                }
                next.number += 1;
                let number = next.number;
                let case = (next.make)(number);
                let mut configs = vec![Config::usual()];
                configs.extend(Config::on_all_threads());
                configs.push(Config::packed_anew());
                configs.extend(Config::on_processes(number));
                configs.extend((configs.len()..self.hunt.configs).map(|_| next.picker.pick()));
                (next.number, case, configs)
            };
            self.look_at(number, &case, &configs, &mut runner)?;
        }
    }

    fn look_at(
        &self,
        number: u64,
        case: &Case,
        configs: &[Config],
        runner: &mut Runner,
    ) -> io::Result<()> {
        let before = runner.runs;
        let checked = check(case, configs, runner)?;
        let mut findings = checked.findings();
        let every = self.hunt.spin_every;
        let with_spin = every > 0 && number.is_multiple_of(every) && spin_is_wrong(case).is_none();
        let refereed = match with_spin && checked.refusal().is_none() {
            true => Some(referee(case, &checked.told, runner, &format!("{number}"))?),
            false => None,
        };
        let done = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        {
            let mut tally = self.tally.lock().expect("no job panics");
            tally.add(&checked, runner.runs - before);
            if let Some(refereed) = &refereed {
                tally.by_spin += refereed.compared as u64;
                tally.open_by_spin += refereed.open as u64;
                if let Some(why) = &refereed.refusal {
                    *tally.refused_by_spin.entry(why.clone()).or_default() += 1;
                }
            }
            if self.hunt.shows_progress && done.is_multiple_of(20) {
                let seconds = self.started.elapsed().as_secs();
                eprint!(
                    "\r{done} models, {} answers, {} findings, {seconds} s ",
                    tally.answers,
                    tally.caught.len()
                );
            }
        }
        findings.extend(refereed.into_iter().flat_map(|refereed| refereed.findings));
        match findings.is_empty() {
            true => Ok(()),
            false => self.catch(case, &findings, runner),
        }
    }

    /// Findings about one model mostly have one cause: the first that is seen again is taken.
    fn catch(&self, case: &Case, findings: &[Finding], runner: &mut Runner) -> io::Result<()> {
        let (after, elapsed) = (self.done.load(Ordering::SeqCst), self.started.elapsed());
        let mut still = |pinned: &Pinned| match is_still(pinned, runner) {
            // Without the mistake it must not be there.
            Ok(true) if runner.mistake.is_some() => {
                let mistake = runner.mistake.take();
                let is_there = is_still(pinned, runner);
                runner.mistake = mistake;
                is_there.is_ok_and(|is_there| !is_there)
            }
            seen => seen.unwrap_or(false),
        };
        let pinned = findings.iter().map(|finding| (finding, Pinned::new(case, finding)));
        let steady = pinned.clone().find(|(_, pinned)| still(pinned));
        let is_steady = steady.is_some();
        if !is_steady && self.hunt.mistake.is_some() {
            return Ok(());
        }
        let Some((finding, pinned)) = steady.or_else(|| pinned.clone().next()) else {
            return Ok(());
        };
        let small = match is_steady {
            true => shrink(pinned, SHRINKING, &mut still),
            false => pinned,
        };
        let mut remarks = vec![format!("{} (seed {})", finding.what.in_words(), case.seed)];
        if !finding.note.is_empty() {
            remarks.push(finding.note.clone());
        }
        if !is_steady {
            remarks.push("not seen again when only this was asked; then:".to_owned());
            remarks.push(finding.one.answer.in_words());
            remarks.push(finding.other.answer.in_words());
        }
        remarks.extend(replies(&small, runner)?);
        let expected = expected(&small, runner)?;
        let caught = Caught {
            what: finding.what,
            seed: case.seed,
            switches: difference(&small),
            text: found::file(&small.case, &expected, &remarks),
            lines: small.case.model.to_string().lines().count(),
            after,
            elapsed,
        };
        let mut tally = self.tally.lock().expect("no job panics");
        if let Some(out) = &self.hunt.out {
            let name = format!("found-{}{}", case.seed, extension(case.language));
            std::fs::create_dir_all(out)?;
            std::fs::write(out.join(name), &caught.text)?;
        }
        if self.hunt.shows_progress {
            eprintln!("\n{}", caught.text);
        }
        tally.caught.push(caught);
        if tally.caught.len() >= self.hunt.most_findings {
            self.is_over.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
}

/// Time for making one finding small.
const SHRINKING: Duration = Duration::from_secs(60);

fn extension(language: Language) -> &'static str {
    model_name(language).trim_start_matches("model")
}

/// Whether the finding is there, asked alone.
fn is_still(pinned: &Pinned, runner: &mut Runner) -> io::Result<bool> {
    let checked = both(pinned, runner)?;
    let is_it = |finding: &Finding| finding.what == pinned.what;
    if pinned.what != What::Spin {
        return Ok(checked.findings().iter().any(is_it));
    }
    let refereed = referee(&pinned.case, &checked.told, runner, "small")?;
    Ok(refereed.findings.iter().any(is_it))
}

fn both(pinned: &Pinned, runner: &mut Runner) -> io::Result<Checked> {
    let (one, other) = (&pinned.one, &pinned.other);
    let mut checked = ask_all(&pinned.case, one.0, std::slice::from_ref(&one.1), runner)?;
    if one != other {
        checked
            .told
            .extend(ask_all(&pinned.case, other.0, std::slice::from_ref(&other.1), runner)?.told);
    }
    Ok(checked)
}

/// Both command lines and what they say.
fn replies(pinned: &Pinned, runner: &mut Runner) -> io::Result<Vec<String>> {
    let checked = both(pinned, runner)?;
    let mut lines = Vec::new();
    for told in &checked.told {
        let run = ask::run(&pinned.case, &checked.asked, &[told.number], &told.config);
        let quoted = |arg: &String| match arg.contains([' ', '(', '!', '<', '>', '&', '|']) {
            true => format!("'{arg}'"),
            false => arg.clone(),
        };
        let args: Vec<String> = run.args.iter().map(quoted).collect();
        lines.push(format!("lariat {} {} MODEL", run.command, args.join(" ")));
        lines.push(format!("  {}", told.answer.in_words()));
    }
    Ok(lines)
}

/// What the plainest configuration says: mostly the truth.
fn expected(pinned: &Pinned, runner: &mut Runner) -> io::Result<Vec<Said>> {
    let mut expected = Vec::new();
    for number in 1..=pinned.case.questions.len() {
        let checked = ask_all(&pinned.case, number, &[Config::plain()], runner)?;
        expected.extend(checked.told.first().map(|told| told.answer.said.clone()));
    }
    Ok(expected)
}

fn difference(pinned: &Pinned) -> Vec<&'static str> {
    let is_other = |at: usize| pinned.one.1.setting(at) != pinned.other.1.setting(at);
    (0..SWITCHES.len()).filter(|&at| is_other(at)).map(|at| SWITCHES[at].name).collect()
}

impl Tally {
    fn add(&mut self, checked: &Checked, runs: u64) {
        self.models += 1;
        self.runs += runs;
        if let Some(why) = checked.refusal() {
            *self.refused.entry(why.to_owned()).or_default() += 1;
            return;
        }
        self.questions += checked.asked.len() as u64;
        self.answers += checked.told.len() as u64;
        for told in &checked.told {
            let (said, scope) = (&told.answer.said, checked.asked[told.number].scope());
            let is_plain = told.config == Config::plain();
            match said {
                Said::Holds if is_plain => *self.verdicts.entry("holds").or_default() += 1,
                Said::Violated if is_plain => *self.verdicts.entry("violated").or_default() += 1,
                Said::Refused(why) if is_plain => {
                    let question = match &checked.asked[told.number] {
                        ask::Asked::Count => "count".to_owned(),
                        ask::Asked::Question(question) => spelled(question),
                    };
                    let why = format!("{}: {why}", question.split(' ').next().unwrap_or(""));
                    *self.refused.entry(why).or_default() += 1;
                }
                Said::Refused(why) if is_not_spread(told) => {
                    *self.open.entry(format!("{scope:?}: {why}")).or_default() += 1;
                }
                Said::Open(why) if !told.config.is_lossy(scope) => {
                    let store = told.config.args_of("store").join(" ");
                    *self.open.entry(format!("{scope:?}: {why} {store}")).or_default() += 1;
                }
                _ => {}
            }
        }
    }
}

/// One of so many models is DVE.
const DVE_EVERY: u64 = 5;

/// Makes the cases of a run, one after the other.
pub fn source(seed: u64, coverage: Arc<Mutex<Coverage>>) -> impl FnMut(u64) -> Case + Send {
    let mut seeds = Rng::new(seed);
    move |_| {
        let mut coverage = coverage.lock().expect("no job panics");
        match seeds.below(DVE_EVERY) {
            0 => dve::case(seeds.draw(), &mut coverage),
            _ => promela::case(seeds.draw(), &mut coverage),
        }
    }
}

/// Writes a case as it was made, for a look.
pub fn shown(case: &Case) -> String {
    let unknown = vec![Said::Open(String::new()); asked(case).len() - 1];
    found::file(case, &unknown, &[format!("seed {}", case.seed)])
}
