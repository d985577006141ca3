//! Schwoon, Esparza, *A Note on On-the-Fly Verification Algorithms*, TACAS 2005: Table 1.

use lariat_checks::Algorithm;
use lariat_core::Word;
use lariat_plot::{Bars, bars};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::enumerate;
use lariat_store::live::InPlace;
use lariat_verify::Question;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, own};
use crate::lab::measure::{Found, How, alone, ask, on_product};
use crate::lab::page::{Page, Status};

const CHECKS: [(Algorithm, &str); 5] = [
    (Algorithm::Hpy, "HPY"),
    (Algorithm::Gmz, "GMZ"),
    (Algorithm::Se, "New"),
    (Algorithm::C99, "Couv"),
    (Algorithm::Gv, "GV"),
];
const HPY: usize = 0;
const GMZ: usize = 1;
const NEW: usize = 2;
const COUV: usize = 3;
const GV: usize = 4;

/// The paper's numbers: states, transitions, depth of HPY, GMZ and New; states and depth of both
/// searches by component; transitions of Couv and GV, |Roots|, |Current|. Of cases without a cycle
/// only the transitions differ.
const PAPER: &str = "\
1 A no: 13057 st, 312 dp; tr 30554 41600 30554 41600 20800; 129, 4825
1 B yes: 385 409 386; 371 392 372; 214 215 215; 214 st, 215 dp; tr 215 215; 129, 214
1 C no: 3925 st, 113 dp; tr 9372 9372 9372 9372 4686; 113, 113
1 D no: 8964 st, 312 dp; tr 20822 31868 20822 31868 15394; 129, 4825
1 E yes: 129 130 130; 129 129 130; 129 129 130; 129 st, 130 dp; tr 129 129; 129, 129
1 F no: 8964 st, 312 dp; tr 20822 31868 20822 31868 15394; 129, 4825
1 G no: 4849 st, 312 dp; tr 6081 12162 6081 12162 6081; 129, 4825
1 H yes: 17658 21769 582; 17658 42916 582; 17658 21769 582; 16132 st, 328 dp; tr 38249 20009; 129, 4825
1 I yes: 17658 21769 582; 17658 42916 582; 17658 21769 582; 16132 st, 328 dp; tr 38249 20009; 129, 4825
2 A yes: 7218 16485 740; 7218 16498 740; 5786 13398 557; 5786 st, 557 dp; tr 13398 6983; 367, 561
2 B yes: 721 746 722; 707 729 708; 439 440 440; 439 st, 440 dp; tr 440 440; 354, 439
2 C no: 3925 st, 113 dp; tr 9372 9372 9372 9372 4686; 113, 113
2 D no: 27323 st, 825 dp; tr 66522 100724 66522 100724 50362; 367, 14091
2 E yes: 367 368 368; 367 367 368; 367 367 368; 367 st, 368 dp; tr 367 367; 367, 367
2 F no: 27323 st, 825 dp; tr 64512 96704 64512 96704 48352; 367, 14091
2 G yes: 3982 4589 1040; 3982 8130 1040; 3982 4588 1040; 3982 st, 1040 dp; tr 4588 4588; 379, 3982
2 H yes: 33128 53575 906; 33128 106364 906; 33128 53575 906; 15259 st, 798 dp; tr 36791 18998; 367, 14091
2 I no: 83658 st, 900 dp; tr 173557 247748 173557 247748 123874; 367, 14091";

/// One property of one variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub variant: u32,
    pub property: String,
    pub is_weak: bool,
    /// Of the whole product, without reduction.
    pub states: u64,
    pub transitions: u64,
    /// Without and with reduction, in the order of `CHECKS`.
    pub found: [Vec<Found>; 2],
}

/// One property of one variant.
pub fn case(variant: u32, property: &str) -> Result<Case, String> {
    let define = format!("VARIANT={variant}");
    let question = Question::Named(property.to_owned());
    Case::new(property, &own("election.pml"), &[&define], question)
}

/// Measures one property of one variant.
pub fn measure(variant: u32, property: &str) -> Result<Row, String> {
    let case = case(variant, property)?;
    let how = How { most: u64::MAX, ..How::papers() };
    let all = |reduces: bool| -> Result<Vec<Found>, String> {
        CHECKS.iter().map(|&(check, _)| ask(&case, &alone(&how, check, reduces))).collect()
    };
    let (states, transitions) = on_product(&case, &by_states(&case)?, &how, |product| {
        let mut store = InPlace::new(Vec::<[Word; 2]>::new());
        let options = SearchOptions::default();
        let seen = enumerate::tarjan::<_, _, ()>(product, &mut store, options, |_, _| {});
        Ok((seen.stats.states, seen.stats.transitions))
    })?;
    let found = [all(false)?, all(true)?];
    let is_weak = case.is_weak()?;
    Ok(Row { variant, property: property.to_owned(), is_weak, states, transitions, found })
}

/// The automaton that all checks get.
fn by_states(case: &Case) -> Result<lariat_automata::Tgba, String> {
    let given = case.automaton()?;
    let planned = lariat_checks::plan(&given, &How::papers().setup(Algorithm::Gv))?;
    Ok(planned.automaton.unwrap_or(given))
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let mut rows: Vec<Row> = Vec::new();
    for variant in [1, 2] {
        for property in ["A", "B", "C", "D", "E", "F", "G", "H", "I"] {
            let key = format!("variant {variant} {property}");
            rows.push(lab.remember(&key, || measure(variant, property))?);
        }
    }
    let mut page = Page::new(lab, "Schwoon and Esparza 2005: Table 1, leader election");
    page.put(
        "Leader election with extinction on three nodes, rebuilt in Promela from the description \
         (`models/election.pml`). Neither the paper's model nor its formulas are in the paper: ours have the same \
         classes and the same verdicts in both variants. So the relations between the checks can be compared, and \
         numbers only as far as their order of magnitude. The paper's product was made by Spin with \
         partial-order reduction; ours is walked on the fly, without and with lariat's reduction.",
    );
    for (at, title) in [(0, "Without reduction"), (1, "With reduction")] {
        page.section(title);
        tables(&mut page, &rows, at);
        plot(&mut page, &rows, at)?;
        relations(&mut page, &rows, at);
    }
    page.section("The paper's numbers");
    page.put(
        "States, transitions, depth of HPY; GMZ; New; then states and depth of Couv and GV; transitions \
         of Couv and GV; |Roots|, |Current|. Without a cycle: states, depth, transitions of HPY, GMZ, New, Couv, GV.",
    );
    page.put(&format!("```\n{PAPER}\n```"));
    page.put(
        "15394 in the rows D and F of variant 1 must be 15934: without a cycle Couv touches every transition twice and \
         GV once, in every other row, and 31868 / 2 = 15934.",
    );
    misprints(&mut page, &rows);
    page.write(lab)
}

fn tables(page: &mut Page, rows: &[Row], at: usize) {
    let triple = |found: &Found| format!("{} {} {}", found.states, found.transitions, found.depth);
    let line = |row: &Row| {
        let found = &row.found[at];
        let mut line = vec![row.variant.to_string(), row.property.clone()];
        line.push(if row.is_weak { "yes" } else { "no" }.to_owned());
        line.push(if found[GV].has_run() { "yes" } else { "no" }.to_owned());
        line.extend([row.states, row.transitions].map(|n| n.to_string()));
        line.extend(found.iter().map(triple));
        line.push(found[COUV].roots.to_string());
        line.push(found[GV].current.to_string());
        line.push(format!(
            "{} {}",
            found[NEW].prefix + found[NEW].cycle,
            found[GV].prefix + found[GV].cycle
        ));
        line
    };
    page.put("States, transitions and depth of each check; `states` and `trans` are those of the whole product, without reduction.");
    let mut header = vec!["variant", "φ", "weak", "cycle", "states", "trans"];
    header.extend(CHECKS.iter().map(|(_, name)| *name));
    header.extend(["Roots", "Current", "cex New, GV"]);
    page.table(&header, &rows.iter().map(line).collect::<Vec<_>>());
}

fn plot(page: &mut Page, rows: &[Row], at: usize) -> Result<(), String> {
    let group = |row: &Row| {
        let most = row.found[at].iter().map(|f| f.transitions).max().unwrap_or(1) as f64;
        let values = row.found[at].iter().map(|f| Some(f.transitions as f64 / most * 100.0));
        (format!("{}{}", row.variant, row.property), values.collect())
    };
    let chart = Bars {
        title: "Transitions generated".to_owned(),
        unit: "percent of the most".to_owned(),
        series: CHECKS.iter().map(|(_, name)| (*name).to_owned()).collect(),
        groups: rows.iter().map(group).collect(),
    };
    page.plot(["full", "reduced"][at], bars(&chart))
}

fn relations(page: &mut Page, rows: &[Row], at: usize) {
    let suffix = ["", "r"][at];
    let id = |number: u32| format!("SE-{number}{suffix}");
    let of = |row: &Row, check: usize| row.found[at][check];
    let with: Vec<&Row> = rows.iter().filter(|row| of(row, GV).has_run()).collect();
    let without: Vec<&Row> = rows.iter().filter(|row| of(row, GV).is_empty()).collect();
    let count = |is_so: &dyn Fn(&&&Row) -> bool| with.iter().filter(is_so).count();
    let all = |is_so: &dyn Fn(&&&Row) -> bool| count(is_so) == with.len();
    let named = |is_so: &dyn Fn(&&&Row) -> bool| {
        let names = with.iter().filter(is_so).map(|row| format!("{}{}", row.variant, row.property));
        let names: Vec<String> = names.collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let before_hpy: &dyn Fn(&&&Row) -> bool = &|row| of(row, NEW).states < of(row, HPY).states;
    let before_both: &dyn Fn(&&&Row) -> bool =
        &|row| of(row, NEW).states < of(row, HPY).states.min(of(row, GMZ).states);
    let never_behind = all(&|row| {
        of(row, NEW).transitions <= of(row, HPY).transitions.min(of(row, GMZ).transitions)
    });
    page.claim(
        &id(1),
        "the new nested search finds counterexamples faster than the other nested ones in three cases, and is never behind them",
        match never_behind {
            true if count(before_both) > 0 => Status::Confirmed,
            true => Status::Differs,
            false => Status::NotConfirmed,
        },
        &format!(
            "never behind; fewer states than HPY in {}; than both in {}: where an edge leads back to an accepting state of the stack, GMZ is as early, \
             and the case that only New has (the current state is accepting) does not come first here",
            named(before_hpy),
            named(before_both)
        ),
    );
    let gmz: &dyn Fn(&&&Row) -> bool = &|row| of(row, GMZ).transitions < of(row, NEW).transitions;
    page.claim(
        &id(2),
        "GMZ was never faster than the new search",
        Status::of(count(gmz) == 0),
        &format!("GMZ ahead: {}", named(gmz)),
    );
    let weak_earlier: &dyn Fn(&&&Row) -> bool =
        &|row| row.is_weak && of(row, GV).states < of(row, HPY).states.min(of(row, GMZ).states);
    let strong_earlier: &dyn Fn(&&&Row) -> bool =
        &|row| !row.is_weak && of(row, GV).states < of(row, HPY).states;
    page.claim(
        &id(3),
        "searches by component find counterexamples earlier than HPY and GMZ on all weak automata",
        Status::Differs,
        &format!(
            "the sentence fits Table 1 only if it says *non-weak*: there HPY, GMZ and both others have \
             the same states on every weak row. Here: non-weak {}; weak, before both: {}",
            named(strong_earlier), named(weak_earlier)
        ),
    );
    let before_new: &dyn Fn(&&&Row) -> bool = &|row| of(row, GV).states < of(row, NEW).states;
    page.claim(
        &id(4),
        "they find them earlier than the new nested search in three cases, and never later",
        Status::of(count(before_new) > 0 && all(&|row| of(row, GV).states <= of(row, NEW).states)),
        &format!("earlier in {}", named(before_new)),
    );
    let length = |found: Found| found.prefix + found.cycle;
    let longer: &dyn Fn(&&&Row) -> bool = &|row| {
        of(row, GV).states < of(row, NEW).states && length(of(row, GV)) > length(of(row, NEW))
    };
    page.claim(
        &id(5),
        "earlier detection means shorter counterexamples, though this is not guaranteed",
        Status::of(count(longer) == 0),
        &format!("longer in {}", named(longer)),
    );
    page.claim(
        &id(6),
        "the two searches by component find the same counterexample with the same exploration",
        Status::of(rows.iter().all(|row| {
            of(row, GV).states == of(row, COUV).states && of(row, GV).depth == of(row, COUV).depth
        })),
        "same states and depth in all rows",
    );
    let weak_minimal: &dyn Fn(&&&Row) -> bool =
        &|row| row.is_weak && of(row, NEW).states != of(row, GV).states;
    page.claim(
        &id(7),
        "on weak automata the new nested search explores minimally",
        Status::of(count(weak_minimal) == 0),
        &format!("more than GV: {}", named(weak_minimal)),
    );
    let twice = without.iter().all(|row| of(row, COUV).transitions == 2 * of(row, GV).transitions);
    page.claim(
        &id(8),
        "without a cycle Couvreur's search touches every transition twice, GV once",
        Status::of(twice),
        "Couv = 2 · GV in all rows without a cycle",
    );
    let roots =
        rows.iter().map(|row| of(row, GV).current as f64 / of(row, COUV).roots.max(1) as f64);
    let most = roots.fold(1.0, f64::max);
    page.claim(
        &id(9),
        "Roots is often much smaller than Current",
        Status::of(most > 10.0),
        &format!("up to {most:.0} times"),
    );
    let subset = rows.iter().all(|row| {
        of(row, COUV).roots <= of(row, COUV).depth && of(row, GV).current >= of(row, GV).depth
    });
    page.claim(
        &id(10),
        "Roots is a subset of the call stack, Current a superset",
        Status::of(subset),
        "Roots ≤ depth ≤ Current in all rows",
    );
    let near: &dyn Fn(&&&Row) -> bool = &|row| length(of(row, GV)) * 10 >= of(row, GV).depth * 9;
    page.claim(
        &id(11),
        "the length of counterexamples was almost always the depth of the call stack",
        Status::of(2 * count(near) > with.len()),
        &format!("within a tenth for GV in {} of {}", count(near), with.len()),
    );
}

fn misprints(page: &mut Page, rows: &[Row]) {
    let row = rows.iter().find(|row| row.property == "D" && row.variant == 1).expect("a row");
    let (couv, gv) = (row.found[1][COUV].transitions, row.found[1][GV].transitions);
    page.claim(
        "SE-12",
        "Table 1, variant 1, D and F: GV explores 15394 transitions",
        Status::Differs,
        &format!("a misprint for 15934 = 31868 / 2; our row D has {couv} and {gv}"),
    );
}
