//! Gaiser, Schwoon, *Comparison of Algorithms for Checking Emptiness on Büchi Automata*, MEMICS
//! 2009: Fig. 3 and the structural effects of §5, on BEEM's LTL properties.

use lariat_checks::Algorithm;
use lariat_core::Word;
use lariat_model::interp::ModelSpace;
use lariat_plot::{Bars, Points, bars, points};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::Component;
use lariat_search::emptiness::scc::enumerate::{self, Seen};
use lariat_store::live::InPlace;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, beem_rows};
use crate::lab::measure::{Found, How, check, on_product};
use crate::lab::page::{Page, Status, percent};

/// The checks on Büchi automata, in the paper's order, with the paper's run times.
const CHECKS: [(Algorithm, &str, f64); 6] = [
    (Algorithm::Ascc, "ASCC", 67.0),
    (Algorithm::Gv, "GV", 69.2),
    (Algorithm::And, "AND", 69.7),
    (Algorithm::Se, "SE", 96.3),
    (Algorithm::Hpy, "HPY", 100.0),
    (Algorithm::C99, "C99", 128.3),
];
const ASCC: usize = 0;
const GV: usize = 1;
const AND: usize = 2;
const SE: usize = 3;
const HPY: usize = 4;
const C99: usize = 5;

/// Transitions from which on CPU time can be measured.
const MEASURABLE: u64 = 20_000;

/// All that is measured on one property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub name: String,
    pub is_weak: bool,
    /// Bytes of a state of the system.
    pub descriptor: u64,
    /// Marks of the generalised automaton, and the product's components without a cycle that are
    /// accepting, if nothing is found.
    pub marks: u64,
    pub trivial_accepting: u64,
    /// In the order of `CHECKS`.
    pub found: Vec<Found>,
    /// Simple depth-first search, on weak ones.
    pub simple: Option<Found>,
    /// ASCC on the generalised automaton.
    pub generalised: Found,
}

impl Row {
    fn transitions(&self, check: usize) -> u64 {
        self.found[check].transitions
    }
}

/// Measures one property; nothing if a check was cut.
pub fn measure(case: &Case, how: &How) -> Result<Option<Row>, String> {
    let is_weak = case.is_weak()?;
    let mut found: Vec<Found> = Vec::new();
    // The longest first.
    for (algorithm, ..) in CHECKS.iter().rev() {
        let one = check(case, *algorithm, how)?;
        if !one.is_empty() && !one.has_run() {
            return Ok(None);
        }
        found.insert(0, one);
    }
    let simple = is_weak.then(|| check(case, Algorithm::Sd, how)).transpose()?;
    let generalised = check(case, Algorithm::Ascc, &How { by_states: false, ..how.clone() })?;
    let says: Vec<_> = found.iter().chain(&simple).chain([&generalised]).map(|f| f.says).collect();
    if says.iter().any(|&one| one != says[0]) {
        return Err(format!("the checks disagree: {says:?}"));
    }
    let width = ModelSpace::minimal_width(case.model.loaded().model());
    Ok(Some(Row {
        name: case.name.clone(),
        is_weak,
        descriptor: 4 * width as u64,
        marks: case.automaton()?.mark_count.into(),
        trivial_accepting: if found[GV].is_empty() { trivial_accepting(case, how)? } else { 0 },
        found,
        simple,
        generalised,
    }))
}

/// The components of the product that are one accepting state without a loop.
fn trivial_accepting(case: &Case, how: &How) -> Result<u64, String> {
    let given = case.automaton()?;
    let planned = lariat_checks::plan(&given, &how.setup(Algorithm::Gv))?;
    let tgba = planned.automaton.as_ref().unwrap_or(&given);
    let is_accepting = |row: &[Word; 2]| {
        let edges = &tgba.edges[row[1] as usize];
        edges.first().is_some_and(|edge| edge.marks.has(0))
    };
    on_product(case, tgba, how, |product| {
        let mut count = 0;
        let mut store = InPlace::new(Vec::<[Word; 2]>::new());
        let visit = |row: &[Word; 2], component: Component<Seen>| {
            count += u64::from(component.trivial && is_accepting(row));
        };
        enumerate::tarjan(product, &mut store, SearchOptions::default(), visit);
        Ok(count)
    })
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let most = if lab.full { 20_000_000 } else { 800_000 };
    let cases = beem_rows(lab.corpus()?, &lab.beem()?, u64::MAX);
    let how = How { most, ..How::papers() };
    let (mut rows, mut cut) = (Vec::new(), 0);
    for case in &cases {
        let key = format!("{} {most}", case.name);
        if lab.is_over(&key) {
            cut += 1;
            continue;
        }
        match lab.remember(&key, || measure(&case.case()?, &how))? {
            Some(row) => rows.push(row),
            None => cut += 1,
        }
    }
    page(lab, &rows, cut, most)
}

fn sum(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    rows.iter().map(of).sum()
}

fn page(lab: &Lab, rows: &[Row], cut: usize, most: u64) -> Result<(), String> {
    let mut page = Page::new(lab, "Gaiser and Schwoon 2009: six checks on BEEM");
    let runs = rows.iter().filter(|row| row.found[GV].has_run()).count();
    page.put(&format!(
        "{} LTL properties of BEEM, on all public instances: {} without a run that violates the formula, {runs} with \
         one. {cut} more were left out, since some check would have had to expand more than {most} states, or for want of time. The \
         formula is translated by lariat; all checks but the last line of the table get the same automaton with \
         accepting states (a weak one where there is one). Successors are computed anew at each call, by \
         machine code. The paper had 266 cases, Promela, the NIPS virtual machine and LTL2BA.",
        rows.len(),
        rows.len() - runs,
    ));
    performances(&mut page, rows)?;
    proportional(&mut page, rows)?;
    memory(&mut page, rows);
    weakness(&mut page, rows);
    effects(&mut page, rows);
    exceptions(&mut page, rows);
    each(&mut page, rows);
    page.write(lab)
}

fn performances(page: &mut Page, rows: &[Row]) -> Result<(), String> {
    page.section("Fig. 3, performances");
    let transitions = |check: usize| sum(rows, |row| row.transitions(check) as f64);
    let cpu = |check: usize| sum(rows, |row| row.found[check].cpu);
    let of = |check: usize, has_run: bool| {
        let kind = rows.iter().filter(|row| row.found[GV].has_run() == has_run);
        kind.map(|row| row.transitions(check) as f64).sum::<f64>()
    };
    let mut lines: Vec<Vec<String>> = Vec::new();
    for (at, (_, name, paper)) in CHECKS.iter().enumerate() {
        lines.push(vec![
            (*name).to_owned(),
            format!("{paper:.1} %"),
            percent(transitions(at), transitions(HPY)),
            percent(cpu(at), cpu(HPY)),
            percent(of(at, false), of(HPY, false)),
            percent(of(at, true), of(HPY, true)),
            format!("{}", transitions(at)),
            format!("{:.1}", cpu(at)),
        ]);
    }
    let general = sum(rows, |row| row.generalised.transitions as f64);
    let general_cpu = sum(rows, |row| row.generalised.cpu);
    lines.push(vec![
        "ASCC on the generalised automaton".to_owned(),
        "67.0 %".to_owned(),
        percent(general, transitions(HPY)),
        percent(general_cpu, cpu(HPY)),
        String::new(),
        String::new(),
        format!("{general}"),
        format!("{general_cpu:.1}"),
    ]);
    let header = [
        "check",
        "paper: time",
        "successors",
        "CPU time",
        "successors, empty products",
        "with a run",
        "successors, sum",
        "CPU seconds, sum",
    ];
    page.table(&header, &lines);
    page.plot(
        "performances",
        bars(&Bars {
            title: "HPY = 100 %".to_owned(),
            unit: "percent".to_owned(),
            series: ["paper: time", "successors", "CPU time"].map(str::to_owned).to_vec(),
            groups: CHECKS
                .iter()
                .enumerate()
                .map(|(at, (_, name, paper))| {
                    let ours = [transitions(at) / transitions(HPY), cpu(at) / cpu(HPY)];
                    let values = [*paper, ours[0] * 100.0, ours[1] * 100.0];
                    ((*name).to_owned(), values.map(Some).to_vec())
                })
                .collect(),
        }),
    )?;
    let is_order = |of: &dyn Fn(usize) -> f64| (0..5).all(|at| of(at) <= of(at + 1));
    let mut late: Vec<&Row> = rows.iter().filter(|row| row.found[GV].has_run()).collect();
    late.sort_by_key(|row| std::cmp::Reverse(row.transitions(HPY) - row.transitions(GV)));
    let late = &late[..late.len().min(5)];
    let lost: f64 = late.iter().map(|row| row.transitions(HPY) as f64).sum();
    let names: Vec<&str> = late.iter().map(|row| row.name.as_str()).collect();
    page.put(&format!(
        "The sum over products with a run is that of a few cases where HPY notices the run late: {} of all its successors are spent on {}.",
        percent(lost, transitions(HPY)),
        names.join(", ")
    ));
    let on_empty = is_order(&|at| of(at, false)) && of(AND, false) < of(SE, false);
    page.claim(
        "GS-1",
        "ASCC ≤ GV ≤ AND < SE ≤ HPY < C99 in successors generated",
        match (is_order(&transitions), on_empty) {
            (true, _) => Status::Confirmed,
            (false, true) => Status::Differs,
            (false, false) => Status::NotConfirmed,
        },
        &format!(
            "on empty products, where nothing depends on luck, the order is the paper's: {on_empty}. Over all cases {}: where there is a run, HPY notices it so late in \
             a few cases that C99, which computes most transitions twice, is still before it. ASCC ≤ GV ≤ AND ≤ SE ≤ HPY holds in every single case",
            if is_order(&transitions) { "it is, too" } else { "HPY and C99 change places" }
        ),
    );
    let share = transitions(ASCC) / transitions(HPY);
    page.claim(
        "GS-2",
        "ASCC takes 67.0 % of HPY's time",
        if share <= 0.7 { Status::Confirmed } else { Status::Differs },
        &format!(
            "{} of its successors, {} of its CPU time; {}",
            percent(share, 1.0),
            percent(cpu(ASCC), cpu(HPY)),
            "what HPY loses depends on how many states lie behind accepting ones, which is another \
             number for other formulas and a translation that makes smaller automata"
        ),
    );
    let better = 1.0 - transitions(AND) / transitions(SE);
    page.claim(
        "GS-3",
        "AND improves SE by 28 %",
        if (0.2..0.36).contains(&better) { Status::Confirmed } else { Status::Differs },
        &format!("by {} in successors here", percent(better, 1.0)),
    );
    let rank = |check: usize| (0..6).filter(|&other| cpu(other) < cpu(check)).count();
    page.claim(
        "GS-4",
        "only SE, HPY and C99 clearly fall behind",
        Status::of([SE, HPY, C99].iter().all(|&check| rank(check) >= 3)),
        "they are the three slowest in CPU time",
    );
    Ok(())
}

fn proportional(page: &mut Page, rows: &[Row]) -> Result<(), String> {
    page.section("Time against successors");
    let measured = |at: usize| -> Vec<(f64, f64)> {
        let found = rows.iter().map(|row| &row.found[at]).filter(|f| f.transitions >= MEASURABLE);
        found.map(|found| (found.transitions as f64, found.cpu * 1e6)).collect()
    };
    let series: Vec<_> = CHECKS
        .iter()
        .enumerate()
        .map(|(at, (_, name, _))| ((*name).to_owned(), measured(at)))
        .collect();
    let all: Vec<(f64, f64)> = series.iter().flat_map(|(_, points)| points.clone()).collect();
    let r = correlation(&all);
    let relative = {
        // Within one case, against HPY: does a check that computes half the successors take half the time?
        let pairs =
            rows.iter().filter(|row| row.transitions(HPY) >= 10 * MEASURABLE).flat_map(|row| {
                let hpy = row.found[HPY];
                row.found.iter().map(move |found| {
                    (found.transitions as f64 / hpy.transitions as f64, found.cpu / hpy.cpu)
                })
            });
        correlation(&pairs.collect::<Vec<_>>())
    };
    page.put(&format!(
        "{} runs with at least {MEASURABLE} successors. The correlation of CPU time and successors is \
         {r:.3}; of both as a part of HPY's on the same case, {relative:.3}.",
        all.len()
    ));
    page.plot(
        "time",
        points(&Points {
            title: "CPU time against successors".to_owned(),
            axes: ("successors".to_owned(), "microseconds".to_owned()),
            is_logarithmic: true,
            has_lines: false,
            series,
        }),
    )?;
    page.claim(
        "GS-5",
        "the running time is practically proportional to the number of successors generated",
        if relative >= 0.95 { Status::Confirmed } else { Status::Differs },
        &format!(
            "correlation {relative:.3} on the same case, relative to HPY; {r:.3} over all cases, since a successor costs more in one model than in another"
        ),
    );
    Ok(())
}

/// Pearson's.
fn correlation(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let [mut xy, mut xx, mut yy] = [0.0; 3];
    for (x, y) in points {
        xy += (x - mx) * (y - my);
        xx += (x - mx).powi(2);
        yy += (y - my).powi(2);
    }
    xy / (xx * yy).sqrt()
}

fn memory(page: &mut Page, rows: &[Row]) {
    page.section("Auxiliary memory against descriptors");
    let sizes = || rows.iter().map(|row| row.descriptor);
    let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
    let mean = sizes().sum::<u64>() as f64 / rows.len() as f64;
    let lines: Vec<Vec<String>> = CHECKS
        .iter()
        .enumerate()
        .map(|(at, (_, name, _))| {
            let words = sum(rows, |row| row.found[at].words as f64);
            let states = sum(rows, |row| row.found[at].states as f64);
            vec![(*name).to_owned(), format!("{:.2}", 4.0 * words / states)]
        })
        .collect();
    page.put(&format!(
        "A state of the system takes {least} to {most} bytes, {mean:.0} on average, before it is compressed \
         (the paper: 20 to 380, 130). Auxiliary bytes for a state, at the peak, by the formula of \
         each paper (the paper: 2 bits to 12 bytes):"
    ));
    page.table(&["check", "bytes"], &lines);
    let largest = (0..6).map(|at| {
        4.0 * sum(rows, |row| row.found[at].words as f64)
            / sum(rows, |row| row.found[at].states as f64)
    });
    let largest = largest.fold(0.0, f64::max);
    page.claim(
        "GS-6",
        "the differences in auxiliary memory are dwarfed by the state descriptors",
        if largest < mean { Status::Confirmed } else { Status::Differs },
        &format!(
            "at most {largest:.1} bytes against {mean:.0}; but lariat's trees compress a descriptor to \
             about 8 bytes, and then auxiliary memory is no longer small beside it"
        ),
    );
}

fn weakness(page: &mut Page, rows: &[Row]) {
    page.section("Weak automata");
    let strong: Vec<&Row> = rows.iter().filter(|row| !row.is_weak).collect();
    let with_run: Vec<&Row> =
        rows.iter().filter(|row| row.is_weak && row.found[GV].has_run()).collect();
    page.put(&format!(
        "{} of {} cases are not weak ({}; the paper: 21 of 266, 8 %). {} weak cases have a run.",
        strong.len(),
        rows.len(),
        percent(strong.len() as f64, rows.len() as f64),
        with_run.len()
    ));
    page.claim(
        "GS-7",
        "only 8 % of the test cases are non-weak; 90–95 % of formulae in practice are weak",
        if strong.len() * 100 <= rows.len() * 12 { Status::Confirmed } else { Status::Differs },
        &format!(
            "{} here, with lariat's translation",
            percent(strong.len() as f64, rows.len() as f64)
        ),
    );
    let minimal = |row: &&&Row| {
        let least = row.transitions(GV);
        let simple = row.simple.map_or(least, |found| found.transitions);
        // C99 and the nested searches may have closed trivial components before.
        row.found[GV].states == row.found[C99].states
            && [SE, AND].iter().all(|&check| row.found[check].states == row.found[GV].states)
            && simple == least
    };
    let so = with_run.iter().filter(minimal).count();
    page.claim(
        "GS-8",
        "on weak cases GV, C99, SE, AND and SD detect counterexamples with minimal exploration",
        Status::of(so == with_run.len()),
        &format!("the same states in {so} of {} cases with a run", with_run.len()),
    );
    let equal = rows.iter().filter_map(|row| Some((row, row.simple?)));
    let differs = equal.filter(|(row, simple)| simple.transitions != row.transitions(GV)).count();
    page.claim(
        "GS-9",
        "SD had the same performance as GV for the weak cases",
        Status::of(differs == 0),
        &format!("{differs} weak cases with another number of successors"),
    );
    let faster: Vec<f64> = strong
        .iter()
        .filter(|row| row.found[GV].has_run())
        .map(|row| {
            row.transitions(AND).min(row.transitions(SE)) as f64 / row.transitions(GV) as f64
        })
        .filter(|&factor| factor > 1.0)
        .collect();
    let most = faster.iter().copied().fold(1.0, f64::max);
    page.claim(
        "GS-10",
        "in 7 of 21 non-weak cases GV and C99 found counterexamples faster, by a factor of up to six",
        Status::of(!faster.is_empty()),
        &format!("in {} of {} here, by a factor of up to {most:.1}", faster.len(), strong.len()),
    );
    let one = rows.iter().filter(|row| row.marks <= 1).count();
    page.claim(
        "GS-11",
        "most formulae yield generalised automata with only one acceptance condition",
        Status::of(2 * one > rows.len()),
        &format!("{one} of {}", rows.len()),
    );
}

fn effects(page: &mut Page, rows: &[Row]) {
    page.section("Structural effects");
    let is_equal = |row: &Row, checks: &[usize]| {
        checks.windows(2).all(|pair| row.transitions(pair[0]) == row.transitions(pair[1]))
    };
    let trivial = |row: &&Row| row.found[GV].is_empty() && row.trivial_accepting > 0;
    let dominates =
        |row: &&Row| row.transitions(GV) < row.transitions(SE).min(row.transitions(C99));
    let behind = |row: &&Row| {
        let others = (0..5).map(|check| row.transitions(check)).max();
        others.is_some_and(|most| row.transitions(C99) > most)
    };
    let red_only = |row: &&Row| {
        row.found[GV].has_run()
            && row.transitions(HPY) > row.transitions(SE)
            && row.transitions(SE) == row.transitions(GV)
    };
    let count = |wanted: &dyn Fn(&&Row) -> bool| {
        let of = |is_weak| rows.iter().filter(|row| row.is_weak == is_weak).filter(wanted).count();
        [of(true), of(false)].map(|n| n.to_string())
    };
    let line = |what: &str, paper: [&str; 2], found: [String; 2]| {
        let [weak, strong] = found;
        vec![what.to_owned(), paper[0].to_owned(), weak, paper[1].to_owned(), strong]
    };
    let with_and = |row: &&Row| trivial(row) && dominates(row) && is_equal(row, &[GV, AND]);
    let lines = vec![
        line("trivial accepting components (empty products)", ["86", "18"], count(&trivial)),
        line(
            "the same, and GV before SE and C99",
            ["–", "–"],
            count(&|row| trivial(row) && dominates(row)),
        ),
        line("the same, and AND equal to GV", ["all", "–"], count(&with_and)),
        line("C99 behind all others", ["98", "17"], count(&behind)),
        line("HPY finds in its red search only, SE does not", ["101", "7"], count(&red_only)),
    ];
    page.table(&["effect", "paper: weak", "weak", "paper: non-weak", "non-weak"], &lines);
    let weak = || rows.iter().filter(|row| row.is_weak);
    let with_trivial: Vec<&Row> = weak().filter(trivial).collect();
    let factor = with_trivial
        .iter()
        .map(|row| row.transitions(SE) as f64 / row.transitions(GV) as f64)
        .fold(1.0, f64::max);
    page.claim(
        "GS-12",
        "with many trivial accepting SCCs, GV and SD dominate, sometimes with a factor of two",
        Status::of(
            with_trivial.iter().all(|row| row.transitions(GV) <= row.transitions(SE))
                && factor > 1.5,
        ),
        &format!("{} weak cases, up to a factor of {factor:.2} over SE", with_trivial.len()),
    );
    let same = with_trivial.iter().filter(|row| is_equal(row, &[GV, AND])).count();
    page.claim(
        "GS-13",
        "there AND had the same performance as GV and SD, although this is not guaranteed",
        if same == with_trivial.len() { Status::Confirmed } else { Status::Differs },
        &format!("in {same} of {}", with_trivial.len()),
    );
    page.claim(
        "GS-14",
        "with non-accepting SCCs not preceded by accepting ones, C99 falls behind all the others",
        Status::of(weak().filter(behind).count() > 0),
        &format!("in {} weak cases", weak().filter(behind).count()),
    );
    page.claim(
        "GS-15",
        "HPY reports only during the red search, and fares worst where all others are equal",
        Status::of(weak().filter(red_only).count() > 0),
        &format!("in {} weak cases", weak().filter(red_only).count()),
    );
}

/// The order of Fig. 3, case by case.
fn exceptions(page: &mut Page, rows: &[Row]) {
    page.section("Exceptions to the order");
    let mut lines = Vec::new();
    for at in 0..5 {
        let against: Vec<&str> = rows
            .iter()
            .filter(|row| row.transitions(at) > row.transitions(at + 1))
            .map(|row| row.name.as_str())
            .collect();
        let shown = against.iter().take(12).copied().collect::<Vec<_>>().join(", ");
        let more = against.len().saturating_sub(12);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let pair = format!("{} ≤ {}", CHECKS[at].1, CHECKS[at + 1].1);
        lines.push(vec![pair, against.len().to_string(), format!("{shown}{more}")]);
    }
    page.table(&["order", "cases against it", "which"], &lines);
    page.put(
        "C99 is better than HPY where there is a run: it finds it sooner. So the last line is no \
         contradiction; the paper's order is that of the sums.",
    );
    let beaten =
        rows.iter().filter(|row| (1..6).any(|at| row.transitions(at) < row.transitions(GV)));
    let beaten = beaten.count();
    page.claim(
        "GS-16",
        "GV is never outperformed on any test case by any other check on Büchi automata",
        Status::of(beaten == 0),
        &format!("{beaten} cases against it"),
    );
    let equal = rows.iter().all(|row| row.transitions(ASCC) == row.transitions(GV));
    page.claim(
        "GS-17",
        "ASCC performs equally well on simple Büchi automata",
        Status::of(equal),
        "same successors in every case",
    );
    let lucky = rows.iter().filter(|row| row.transitions(GV) < row.generalised.transitions).count();
    page.claim(
        "GS-18",
        "on generalised automata ASCC did not perform best in all examples: another order of exploration",
        Status::of(lucky > 0),
        &format!("{lucky} cases where a check on the Büchi automaton needs fewer successors"),
    );
    let twice = rows.iter().all(|row| row.transitions(C99) <= 2 * row.transitions(GV));
    page.claim(
        "GS-19",
        "C99 computes each transition at most twice, GV and ASCC at most once",
        Status::of(twice),
        "C99 ≤ 2 · GV in every case",
    );
}

fn each(page: &mut Page, rows: &[Row]) {
    page.section("Every case");
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut line =
                vec![row.name.clone(), if row.is_weak { "weak" } else { "no" }.to_owned()];
            line.push(if row.found[GV].has_run() { "run" } else { "empty" }.to_owned());
            line.extend((0..6).map(|at| row.transitions(at).to_string()));
            line.push(row.simple.map_or("–".to_owned(), |found| found.transitions.to_string()));
            line.push(row.generalised.transitions.to_string());
            line
        })
        .collect();
    let mut header = vec!["case", "weak", "product"];
    header.extend(CHECKS.iter().map(|(_, name, _)| *name));
    header.extend(["SD", "ASCC, generalised"]);
    page.put("Successors generated.");
    page.table(&header, &lines);
}
