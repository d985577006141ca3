//! Beyond the papers: what lariat adds around a check (remembered steps, a cache of successors, partial-order
//! reduction, sweeps, all cores), on the same properties.

use lariat_checks::Algorithm;
use lariat_plot::{Bars, bars};
use lariat_verify::engine::Engine;
use lariat_verify::{Config, Order};
use serde::{Deserialize, Serialize};
use std::time::Instant;

use crate::lab::Lab;
use crate::lab::cases::{Case, beem_rows};
use crate::lab::checks::{C99, CHECKS, GV, HPY, in_order, names};
use crate::lab::measure::{Found, How, alone, ask};
use crate::lab::page::{Page, Status, percent};

pub const SETTINGS: [&str; 4] =
    ["as in the papers", "remembered steps", "and a cache of successors", "and reduction"];
const REDUCED: usize = 3;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// By setting and check.
    pub found: Vec<Vec<Found>>,
    /// What `lariat check` does, and the same without sweeps.
    pub usual: Found,
    pub without_sweep: Found,
    /// What `lariat check` does on one thread.
    pub one_thread: Found,
    /// Seconds by the clock: on one thread, and on all cores.
    pub clock: [f64; 2],
}

pub fn measure(case: &Case) -> Result<Row, String> {
    let papers = How::papers();
    let remembers = How { engine: Engine::default(), ..papers.clone() };
    let config = |setting: usize, algorithm: Algorithm| {
        let how = if setting == 0 { &papers } else { &remembers };
        let edge_cache = if setting >= 2 { None } else { Some(0) };
        Config { edge_cache, ..alone(how, algorithm, setting == REDUCED) }
    };
    let mut found = Vec::new();
    for setting in 0..SETTINGS.len() {
        let of = |&(algorithm, _)| ask(case, &config(setting, algorithm));
        found.push(CHECKS.iter().map(of).collect::<Result<Vec<Found>, _>>()?);
    }
    let mut usual = Config::default();
    usual.limits.time = papers.time;
    let without_sweep = Config { order: Order::DepthFirst, ..usual.clone() };
    let mut one_thread = usual.clone();
    one_thread.engine.threads = Some(1);
    let timed = |config: &Config| {
        let start = Instant::now();
        ask(case, config).map(|found| (found, start.elapsed().as_secs_f64()))
    };
    let ((usual, all_cores), (one_thread, alone)) = (timed(&usual)?, timed(&one_thread)?);
    let (without_sweep, clock) = (ask(case, &without_sweep)?, [alone, all_cores]);
    let row = Row { found, usual, without_sweep, one_thread, clock };
    let all = row.found.iter().flatten().chain([&row.usual, &row.without_sweep, &row.one_thread]);
    let says: Vec<_> = all.map(|found| found.says).collect();
    match says.iter().all(|&one| one == says[0]) {
        true => Ok(row),
        false => Err(format!("the answers differ: {says:?}")),
    }
}

/// Sums over all rows.
struct Sums(Vec<Row>);

impl Sums {
    fn of(&self, setting: usize, check: usize, what: fn(&Found) -> f64) -> f64 {
        self.0.iter().map(|row| what(&row.found[setting][check])).sum()
    }

    fn cpu(&self, setting: usize, check: usize) -> f64 {
        self.of(setting, check, |found| found.cpu)
    }

    fn successors(&self, setting: usize, check: usize) -> f64 {
        self.of(setting, check, |found| found.transitions as f64)
    }
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let most = if lab.full { 5_000_000 } else { 500_000 };
    let cases = beem_rows(lab.corpus()?, &lab.beem()?, most);
    let mut rows: Vec<Row> = Vec::new();
    for case in cases.iter().filter(|case| case.states > 5_000) {
        let key = format!("{} {most}", case.name);
        if !lab.is_over(&key) {
            rows.push(lab.remember(&key, || measure(&case.case()?))?);
        }
    }
    let sums = Sums(rows);
    let runs = sums.0.iter().filter(|row| row.usual.has_run()).count();
    let mut page =
        Page::new(lab, "Beyond the papers: remembered steps, reduction, sweeps, all cores");
    page.put(&format!(
        "{} LTL properties of BEEM on instances with 5,000 to {most} states, {runs} of them with a run: the rows of [gs2009](gs2009.md) of that size. Here CPU \
         time is that of the whole question: translation, search, judge. All settings and checks give the same answer on every row. The checks of the \
         papers use one core.",
        sums.0.len()
    ));
    settings(&mut page, &sums)?;
    by_itself(&mut page, &sums);
    page.write(lab)
}

fn settings(page: &mut Page, sums: &Sums) -> Result<(), String> {
    page.section("The checks under each setting");
    let mut lines = Vec::new();
    for (setting, name) in SETTINGS.iter().enumerate() {
        let part = |of: f64, whole: f64| percent(of, whole);
        let cpu = |check: usize| {
            let (own, hpy) = (sums.cpu(setting, check), sums.cpu(setting, HPY));
            format!("{own:.2} ({})", part(own, hpy))
        };
        let successors = |check: usize| {
            let (own, hpy) = (sums.successors(setting, check), sums.successors(setting, HPY));
            format!("{own} ({})", part(own, hpy))
        };
        for (what, line) in [
            ("CPU s", (0..6).map(cpu).collect::<Vec<_>>()),
            ("successors", (0..6).map(successors).collect()),
        ] {
            lines.push([vec![(*name).to_owned(), what.to_owned()], line].concat());
        }
    }
    let mut header = vec!["setting", ""];
    header.extend(names());
    page.table(&header, &lines);
    let group = |(setting, name): (usize, &&str)| {
        ((*name).to_owned(), (0..6).map(|check| Some(sums.cpu(setting, check))).collect())
    };
    let chart = Bars {
        title: "CPU seconds by setting".to_owned(),
        unit: "seconds".to_owned(),
        series: names().map(str::to_owned).to_vec(),
        groups: SETTINGS.iter().enumerate().map(group).collect(),
    };
    page.plot("settings", bars(&chart))?;
    let time = |setting: usize| in_order(|check| sums.cpu(setting, check));
    let successors = |setting: usize| in_order(|check| sums.successors(setting, check));
    let line = |(at, name): (usize, &&str)| vec![(*name).to_owned(), successors(at), time(at)];
    page.table(
        &["setting", "order by successors", "order by CPU time"],
        &SETTINGS.iter().enumerate().map(line).collect::<Vec<_>>(),
    );
    let same = (1..4).filter(|&setting| successors(setting) == successors(0)).count();
    let same_time = (1..4).filter(|&setting| time(setting) == time(0)).count();
    let spread = |setting: usize| sums.cpu(setting, C99) / sums.cpu(setting, GV);
    page.claim(
        "GS-23",
        "every set of benchmarks would lead to the same order among the algorithms",
        if same == 3 && same_time == 3 { Status::Confirmed } else { Status::Differs },
        &format!(
            "of the three settings beside the papers', {same} have the same order in successors and {same_time} in CPU time: C99 takes {:.2} times as long as \
             GV in the papers' setting, {:.2} times with remembered steps, {:.2} with a cache, {:.2} with reduction",
            spread(0), spread(1), spread(2), spread(3)
        ),
    );
    Ok(())
}

fn by_itself(page: &mut Page, sums: &Sums) {
    page.section("What lariat does by itself");
    let of_usual = |of: fn(&Row) -> &Found| {
        let found = || sums.0.iter().map(of);
        (found().map(|found| found.cpu).sum::<f64>(), found().map(|found| found.states).sum())
    };
    let of = |setting: usize, check: usize| {
        let states = sums.0.iter().map(|row| row.found[setting][check].states).sum::<u64>();
        (sums.cpu(setting, check), states)
    };
    let line = |(name, (seconds, states)): (&str, (f64, u64))| {
        let part = percent(seconds, sums.cpu(0, HPY));
        vec![name.to_owned(), format!("{seconds:.2}"), part, states.to_string()]
    };
    let searches = [
        ("HPY, as in the papers", of(0, HPY)),
        ("GV, as in the papers", of(0, GV)),
        ("GV with remembered steps", of(1, GV)),
        ("GV with reduction, too", of(REDUCED, GV)),
        (
            "auto, depth first (reduction, shortcuts, remembered steps)",
            of_usual(|row| &row.without_sweep),
        ),
        ("auto with sweeps, on one thread", of_usual(|row| &row.one_thread)),
        ("auto with sweeps, on all cores: `lariat check`", of_usual(|row| &row.usual)),
    ];
    page.table(
        &["search", "CPU s", "of HPY in the papers' setting", "product states"],
        &searches.map(line),
    );
    let shared = || sums.0.iter().filter(|row| row.usual.expansions > 100_000);
    let clock = |core: usize| shared().map(|row| row.clock[core]).sum::<f64>();
    page.put(&format!(
        "`lariat check` takes all cores for searches that outlive 100,000 states, where reduction does not pay: here at most {} of {} rows, which take {:.2} \
         seconds by the clock on one thread and {:.2} on all cores. Larger models are in `bench/cores.md`.",
        shared().count(),
        sums.0.len(),
        clock(0),
        clock(1)
    ));
}
