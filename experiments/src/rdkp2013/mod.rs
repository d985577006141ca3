//! Renault, Duret-Lutz, Kordon, Poitrenaud, *Three SCC-based Emptiness Checks for Generalized Büchi
//! Automata*, LPAR 2013: Fig. 2 and Tables 1 to 4, on BEEM with random formulas.

use lariat_bench::cpu::cpu_seconds;
use lariat_checks::Algorithm;
use lariat_core::lasso::Acceptance;
use lariat_core::{Outcome, Stats, Word};
use lariat_ltl::Formulas;
use lariat_ltl::random::{Rng, Shape, formula};
use lariat_ltl::syntax::Printer;
use lariat_plot::{Bars, bars};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::enumerate;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba, gabow_tgba, tarjan_tgba};
use lariat_store::live::{Eager, ExactDead, InPlace, Lazy, UnionInPlace, UnionSplit};
use lariat_testing::beem::Beem;
use lariat_verify::Question;
use lariat_verify::engine::Engine;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, in_signs};
use crate::lab::measure::{Found, How, OnTheFly, check, on_product, replayed};
use crate::lab::page::{Page, Status, percent};

type Rows = Vec<[Word; 2]>;

/// One of the paper's three algorithms, with its switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    pub algorithm: Algorithm,
    /// `+cs`: compressed roots.
    pub compressed: bool,
    pub dead: Dead,
}

/// Where dead states are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dead {
    /// `−ds`: among the live ones.
    InPlace,
    /// `+ds`: in a store of their own, at once.
    Eager,
    /// The same, when their slot is needed.
    Lazy,
}

const fn variant(algorithm: Algorithm, compressed: bool, dead: Dead) -> Variant {
    Variant { algorithm, compressed, dead }
}

/// The paper's ten, in the order of Table 1, with its peaks in words. Its +ds for Gabow is lazy.
pub const VARIANTS: [(Variant, f64); 10] = [
    (variant(Algorithm::Dijkstra, false, Dead::InPlace), 6_225_414_223.0),
    (variant(Algorithm::Dijkstra, true, Dead::InPlace), 6_225_411_039.0),
    (variant(Algorithm::Gabow, false, Dead::InPlace), 7_364_856_119.0),
    (variant(Algorithm::Gabow, true, Dead::InPlace), 7_364_854_033.0),
    (variant(Algorithm::TarjanTgba, false, Dead::InPlace), 6_325_991_684.0),
    (variant(Algorithm::Dijkstra, false, Dead::Eager), 5_160_440_344.0),
    (variant(Algorithm::Dijkstra, true, Dead::Eager), 5_160_435_523.0),
    (variant(Algorithm::Gabow, false, Dead::Lazy), 6_608_486_024.0),
    (variant(Algorithm::Gabow, true, Dead::Lazy), 6_608_482_885.0),
    (variant(Algorithm::TarjanTgba, false, Dead::Eager), 5_265_484_149.0),
];

impl Variant {
    pub fn name(self) -> String {
        let cs = match (self.algorithm, self.compressed) {
            (Algorithm::TarjanTgba, _) => "",
            (_, true) => " +cs",
            (_, false) => " −cs",
        };
        let ds = if self.dead == Dead::InPlace { "−ds" } else { "+ds" };
        let name = match self.algorithm {
            Algorithm::TarjanTgba => "Tarjan",
            Algorithm::Gabow => "Gabow",
            _ => "Dijkstra",
        };
        format!("{name}{cs} {ds}")
    }

    fn roots(self) -> Roots {
        if self.compressed { Roots::Compressed } else { Roots::Plain }
    }

    /// The emptiness check.
    pub fn check(self, graph: &mut OnTheFly<'_, '_>) -> Outcome {
        let (o, dead) = (SearchOptions::default(), || ExactDead::new(Rows::new()));
        let rows = Rows::new;
        match (self.algorithm, self.dead) {
            (Algorithm::TarjanTgba, Dead::InPlace) => {
                tarjan_tgba::check(graph, &mut InPlace::new(rows()), o)
            }
            (Algorithm::TarjanTgba, Dead::Eager) => {
                tarjan_tgba::check(graph, &mut Eager::new(rows(), rows(), dead()), o)
            }
            (Algorithm::TarjanTgba, Dead::Lazy) => {
                tarjan_tgba::check(graph, &mut Lazy::new(rows(), rows(), dead()), o)
            }
            (Algorithm::Gabow, Dead::InPlace) => {
                gabow_tgba::check(graph, &mut UnionInPlace::new(rows()), o, self.roots())
            }
            (Algorithm::Gabow, _) => gabow_tgba::check(
                graph,
                &mut UnionSplit::new(rows(), rows(), dead()),
                o,
                self.roots(),
            ),
            (_, Dead::InPlace) => {
                dijkstra_tgba::check(graph, &mut InPlace::new(rows()), o, self.roots())
            }
            (_, Dead::Eager) => dijkstra_tgba::check(
                graph,
                &mut Eager::new(rows(), rows(), dead()),
                o,
                self.roots(),
            ),
            (_, Dead::Lazy) => {
                dijkstra_tgba::check(graph, &mut Lazy::new(rows(), rows(), dead()), o, self.roots())
            }
        }
    }

    /// The same without the boxes: only components.
    fn enumerate(self, graph: &mut OnTheFly<'_, '_>) -> Stats {
        let (o, dead) = (SearchOptions::default(), || ExactDead::new(Rows::new()));
        let rows = Rows::new;
        let found = match (self.algorithm, self.dead) {
            (Algorithm::TarjanTgba, Dead::InPlace) => {
                enumerate::tarjan::<_, _, ()>(graph, &mut InPlace::new(rows()), o, |_, _| {})
            }
            (Algorithm::TarjanTgba, _) => enumerate::tarjan::<_, _, ()>(
                graph,
                &mut Eager::new(rows(), rows(), dead()),
                o,
                |_, _| {},
            ),
            (Algorithm::Gabow, Dead::InPlace) => enumerate::gabow::<_, _, ()>(
                graph,
                &mut UnionInPlace::new(rows()),
                o,
                self.roots(),
                |_, _| {},
            ),
            (Algorithm::Gabow, _) => enumerate::gabow::<_, _, ()>(
                graph,
                &mut UnionSplit::new(rows(), rows(), dead()),
                o,
                self.roots(),
                |_, _| {},
            ),
            (_, Dead::InPlace) => enumerate::dijkstra::<_, _, ()>(
                graph,
                &mut InPlace::new(rows()),
                o,
                self.roots(),
                |_, _| {},
            ),
            (_, _) => enumerate::dijkstra::<_, _, ()>(
                graph,
                &mut Eager::new(rows(), rows(), dead()),
                o,
                self.roots(),
                |_, _| {},
            ),
        };
        found.stats
    }
}

/// Successors as lariat computes them, since the check itself is measured.
pub fn how() -> How {
    How { engine: Engine::default(), by_states: false, most: 20_000_000, ..How::papers() }
}

/// What a variant took, and the enumeration that it is made of.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Pair {
    pub check: Found,
    pub enumeration: f64,
}

/// Runs a variant of a check.
pub fn measure(case: &Case, variant: Variant, with_enumeration: bool) -> Result<Pair, String> {
    let tgba = case.automaton()?;
    let check = on_product(case, &tgba, &how(), |product| {
        let start = cpu_seconds();
        let outcome = variant.check(product);
        let cpu = cpu_seconds() - start;
        replayed(product, &outcome, Acceptance::Edges, cpu)
    })?;
    let mut enumeration = 0.0;
    if with_enumeration {
        enumeration = on_product(case, &tgba, &how(), |product| {
            let start = cpu_seconds();
            variant.enumerate(product);
            Ok(cpu_seconds() - start)
        })?;
    }
    Ok(Pair { check, enumeration })
}

/// A model and a formula that were chosen at random.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chosen {
    pub model: String,
    pub formula: String,
    pub is_empty: bool,
}

impl Chosen {
    pub fn case(&self, lab: &Lab) -> Result<Case, String> {
        let file = lab.corpus()?.join("beem/dve").join(&self.model);
        let name = format!("{} {}", self.model, self.formula);
        Case::new(&name, &file, &[], Question::Ltl(self.formula.clone()))
    }
}

/// The propositions of BEEM for the instances of a size, each with its file.
fn models(beem: &Beem, least: u64, most: u64) -> Vec<(String, Vec<String>)> {
    let fits = |row: &lariat_testing::table::Row<'_>| {
        let states = beem.states(row.get("model"), row.get("instance"))?;
        let file = format!("{}.{}.dve", row.get("model"), row.get("instance"));
        ((least..=most).contains(&states) && beem.model(&file).is_some()).then_some(file)
    };
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for row in beem.propositions.rows() {
        let Some(file) = fits(&row) else { continue };
        let expression = in_signs(row.get("expression"));
        match found.iter_mut().find(|(other, _)| *other == file) {
            Some((_, all)) => all.push(expression),
            None => found.push((file, vec![expression])),
        }
    }
    found
}

/// A random formula over some propositions of the model. `|` and `&` between propositions are operators of the model's
/// language, too; what cannot be read is drawn again.
fn random_formula(rng: &mut Rng, propositions: &[String]) -> String {
    let mut formulas = Formulas::new();
    let count = propositions.len().min(3);
    let first = rng.below(propositions.len());
    let shape = Shape { propositions: count, size: 6 + rng.below(8), next: false };
    let formula = formula(&mut formulas, rng, shape);
    let mut text = Printer::new(&formulas).text(formula);
    for at in 0..count {
        let expression = &propositions[(first + at) % propositions.len()];
        text = text.replace(&format!("p{at}"), &format!("({expression})"));
    }
    text
}

/// Draws until there are enough products of both kinds.
pub fn draw(lab: &mut Lab, wanted: usize) -> Result<Vec<Chosen>, String> {
    let beem = lab.beem()?;
    let (least, most) = if lab.full { (100_000, 2_000_000) } else { (4_000, 60_000) };
    let (few, seed) = (if lab.full { 50_000 } else { 5_000 }, lab.seed);
    let models = models(&beem, least, most);
    let mut rng = Rng::new(seed);
    let mut chosen: Vec<Chosen> = Vec::new();
    for draw in 0..20_000 {
        let (model, propositions) = &models[rng.below(models.len())];
        let formula = random_formula(&mut rng, propositions);
        let count = |is_empty| chosen.iter().filter(|one| one.is_empty == is_empty).count();
        let missing = [true, false].map(|is_empty| count(is_empty) < wanted);
        if missing == [false, false] {
            break;
        }
        let one = Chosen { model: model.clone(), formula, is_empty: false };
        let says = lab
            .remember(&format!("draw {seed} {draw} {most} {model} {}", one.formula), || {
                Ok(one_says(&one, &beem, few))
            })?;
        if let Some(is_empty) = says
            && missing[usize::from(!is_empty)]
        {
            chosen.push(Chosen { is_empty, ..one });
        }
    }
    Ok(chosen)
}

/// Whether the product is empty; nothing for one that is too small to tell anything.
fn one_says(one: &Chosen, beem: &Beem, few: u64) -> Option<bool> {
    let text = beem.model(&one.model)?;
    let mut model = lariat_verify::Model::dve(&one.model, &text).ok()?;
    let asked = model.ltl(&one.formula).ok()?;
    let case = Case { name: one.model.clone(), model, asked };
    if case.automaton().ok()?.state_count() == 0 {
        return None;
    }
    let short = How { most: 60 * few, ..how() };
    let found = check(&case, Algorithm::Dijkstra, &short).ok()?;
    match (found.is_empty(), found.has_run()) {
        (true, _) if found.states >= few => Some(true),
        (_, true) if found.states >= 50 => Some(false),
        _ => None,
    }
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let wanted = if lab.full { 400 } else { 100 };
    let chosen = draw(lab, wanted)?;
    let (empty, with_run): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|one| one.is_empty);
    let mut runs: Vec<[Found; 3]> = Vec::new();
    for one in &with_run {
        let key = format!("run {} {}", one.model, one.formula);
        if lab.is_over(&key) {
            continue;
        }
        let case = one.case(lab)?;
        runs.push(lab.remember(&key, || {
            let of = |at: usize| measure(&case, VARIANTS[at].0, false).map(|pair| pair.check);
            Ok([of(4)?, of(0)?, of(2)?])
        })?);
    }
    let mut pairs: Vec<Vec<Pair>> = Vec::new();
    for one in &empty {
        let key = format!("empty {} {}", one.model, one.formula);
        if lab.is_over(&key) {
            continue;
        }
        let case = one.case(lab)?;
        pairs.push(lab.remember(&key, || {
            VARIANTS.iter().map(|(variant, _)| measure(&case, *variant, true)).collect()
        })?);
    }
    page(lab, &pairs, &runs)
}

fn page(lab: &Lab, pairs: &[Vec<Pair>], runs: &[[Found; 3]]) -> Result<(), String> {
    let mut page = Page::new(
        lab,
        "Renault, Duret-Lutz, Kordon and Poitrenaud 2013: three checks by component",
    );
    let sum = |of: &dyn Fn(&Found) -> u64| pairs.iter().map(|row| of(&row[0].check)).sum::<u64>();
    page.put(&format!(
        "Random formulas over the propositions of BEEM's models: {} empty products with {} states, {} \
         transitions and {} components, and {} with a run. The paper: 448 empty ones with 2.5·10⁹ states, 17.3·10⁹ \
         transitions, 10⁹ components, and 412 with a run.",
        pairs.len(),
        sum(&|found| found.states),
        sum(&|found| found.transitions),
        sum(&|found| found.sccs),
        runs.len()
    ));
    overhead(&mut page, pairs)?;
    memory(&mut page, pairs);
    early(&mut page, runs);
    page.write(lab)
}

fn overhead(page: &mut Page, pairs: &[Vec<Pair>]) -> Result<(), String> {
    page.section("Fig. 2, overhead of the check over enumeration");
    let cpu = |at: usize| pairs.iter().map(|row| row[at].check.cpu).sum::<f64>();
    let bare = |at: usize| pairs.iter().map(|row| row[at].enumeration).sum::<f64>();
    let order: [usize; 10] = [4, 0, 1, 2, 3, 9, 5, 6, 7, 8];
    let spread = |at: usize| {
        let mut each: Vec<f64> = pairs
            .iter()
            .filter(|row| row[at].enumeration > 0.01)
            .map(|row| row[at].check.cpu / row[at].enumeration - 1.0)
            .collect();
        each.sort_by(f64::total_cmp);
        let quarter = |part: usize| each.get(each.len() * part / 4).copied().unwrap_or(0.0) * 100.0;
        format!("{:.0} % to {:.0} %, median {:.0} %", quarter(1), quarter(3), quarter(2))
    };
    let lines: Vec<Vec<String>> = order
        .iter()
        .map(|&at| {
            vec![
                VARIANTS[at].0.name(),
                format!("{:.2}", bare(at)),
                format!("{:.2}", cpu(at)),
                percent(cpu(at) - bare(at), bare(at)),
                spread(at),
            ]
        })
        .collect();
    page.table(
        &[
            "variant",
            "components only, CPU s",
            "check, CPU s",
            "overhead",
            "its spread over products",
        ],
        &lines,
    );
    page.plot(
        "overhead",
        bars(&Bars {
            title: "CPU seconds on empty products".to_owned(),
            unit: "seconds".to_owned(),
            series: ["components", "check"].map(str::to_owned).to_vec(),
            groups: order
                .iter()
                .map(|&at| (VARIANTS[at].0.name(), vec![Some(bare(at)), Some(cpu(at))]))
                .collect(),
        }),
    )?;
    let mean = (0..10).map(|at| cpu(at) / bare(at) - 1.0).sum::<f64>() * 10.0;
    page.claim(
        "RDKP-1",
        "the overhead of the emptiness check is 3 % on the average",
        if mean.abs() <= 5.0 { Status::Confirmed } else { Status::Differs },
        &format!("{mean:.1} % here; the quartiles are in the table: CPU times of single products scatter more than that"),
    );
    let plain = [4, 0, 2].map(cpu);
    page.claim(
        "RDKP-2",
        "without a dead store all are close: Tarjan slightly before Dijkstra, Dijkstra before Gabow",
        if plain[0] <= plain[1] && plain[1] <= plain[2] { Status::Confirmed } else { Status::Differs },
        &format!("{:.2}, {:.2} and {:.2} CPU seconds", plain[0], plain[1], plain[2]),
    );
    let dead = (cpu(9) + cpu(5)) / (cpu(4) + cpu(0)) - 1.0;
    let gabow = cpu(7) / cpu(2) - 1.0;
    page.claim(
        "RDKP-3",
        "a dead store costs about 15 %, for Gabow 10 %",
        if (0.05..0.3).contains(&dead) && gabow < dead {
            Status::Confirmed
        } else {
            Status::Differs
        },
        &format!(
            "{} for Tarjan and Dijkstra, {} for Gabow",
            percent(dead, 1.0),
            percent(gabow, 1.0)
        ),
    );
    let roots = (cpu(1) + cpu(3)) / (cpu(0) + cpu(2)) - 1.0;
    page.claim(
        "RDKP-4",
        "compressing the roots costs no time",
        Status::of(roots < 0.05),
        &format!("{} more", percent(roots, 1.0)),
    );
    Ok(())
}

fn memory(page: &mut Page, pairs: &[Vec<Pair>]) {
    page.section("Tables 1, 3 and 4, memory");
    let words = |at: usize| pairs.iter().map(|row| row[at].check.words).sum::<u64>() as f64;
    let lines: Vec<Vec<String>> = VARIANTS
        .iter()
        .enumerate()
        .map(|(at, (variant, paper))| {
            vec![
                variant.name(),
                format!("{}", words(at)),
                percent(words(at), words(0)),
                percent(*paper, VARIANTS[0].1),
            ]
        })
        .collect();
    page.put("Peaks in words by the paper's formulas, summed over all empty products; both as a part of Dijkstra −cs −ds.");
    page.table(&["variant", "words", "of the first", "paper: of the first"], &lines);
    let least = (0..5).all(|at| words(1) <= words(at)) && (5..10).all(|at| words(6) <= words(at));
    page.claim(
        "RDKP-5",
        "Dijkstra is the most memory efficient, Gabow the least",
        Status::of(least && words(2) > words(4)),
        "among −ds and among +ds",
    );
    let saved = 1.0 - words(5) / words(0);
    page.claim(
        "RDKP-6",
        "a dead store reduces memory by up to 17 %",
        if saved > 0.0 { Status::Confirmed } else { Status::NotConfirmed },
        &format!(
            "by {} for Dijkstra, {} for Tarjan, {} for Gabow",
            percent(saved, 1.0),
            percent(1.0 - words(9) / words(4), 1.0),
            percent(1.0 - words(7) / words(2), 1.0)
        ),
    );
    let dead = |at: usize| {
        let peaks = || pairs.iter().map(|row| row[at].check.dead);
        (peaks().max().unwrap_or(0), peaks().sum::<u64>())
    };
    let roots = |at: usize| {
        let peaks = || pairs.iter().map(|row| row[at].check.roots);
        (peaks().max().unwrap_or(0), peaks().sum::<u64>())
    };
    let line = |what: &str, ours: (u64, u64), paper: [&str; 2]| {
        vec![
            what.to_owned(),
            ours.0.to_string(),
            ours.1.to_string(),
            paper[0].to_owned(),
            paper[1].to_owned(),
        ]
    };
    page.table(
        &["structure", "largest peak", "sum of peaks", "paper: largest", "paper: sum"],
        &[
            line("dead, Tarjan and Dijkstra +ds", dead(5), ["29 098 013", "2 454 950 318"]),
            line("dead, Gabow +ds (lazy)", dead(7), ["21 430 297", "1 070 440 670"]),
            line("roots −cs", roots(0), ["456", "98 322"]),
            line("roots +cs", roots(1), ["119", "8 188"]),
        ],
    );
    let half = dead(7).1 as f64 / dead(5).1 as f64;
    page.claim(
        "RDKP-7",
        "lazy transfer moves only half of the states to dead",
        if half < 0.75 { Status::Confirmed } else { Status::Differs },
        &format!(
            "{} here: what stays depends on how large the last components are",
            percent(half, 1.0)
        ),
    );
    let tenth = roots(1).1 as f64 / roots(0).1 as f64;
    page.claim(
        "RDKP-8",
        "compressing the roots saves nine tenths of them",
        if tenth < 0.2 { Status::Confirmed } else { Status::Differs },
        &format!("{} are left", percent(tenth, 1.0)),
    );
}

fn early(page: &mut Page, runs: &[[Found; 3]]) {
    page.section("Table 2, until the counterexample");
    let sum = |at: usize, of: fn(&Found) -> u64| runs.iter().map(|row| of(&row[at])).sum::<u64>();
    let line = |at: usize, name: &str, paper: [&str; 3]| {
        let mut line = vec![name.to_owned()];
        line.extend(
            [sum(at, |f| f.transitions), sum(at, |f| f.states), sum(at, |f| f.sccs)]
                .map(|n| n.to_string()),
        );
        line.extend(paper.map(str::to_owned));
        line
    };
    page.table(
        &["check", "transitions", "states", "SCCs", "paper: transitions", "states", "SCCs"],
        &[
            line(0, "Tarjan", ["534 471 068", "67 230 381", "34 622 772"]),
            line(1, "Dijkstra", ["534 338 119", "67 187 854", "34 582 459"]),
            line(2, "Gabow", ["534 338 119", "67 187 854", "34 582 459"]),
        ],
    );
    let same = runs
        .iter()
        .all(|row| row[1].transitions == row[2].transitions && row[1].states == row[2].states);
    page.claim(
        "RDKP-9",
        "Dijkstra and Gabow report at the same transition",
        Status::of(same),
        "in every product",
    );
    let late = sum(0, |f| f.transitions) as f64 / sum(1, |f| f.transitions) as f64 - 1.0;
    page.claim(
        "RDKP-11",
        "Tarjan reports later, by less than 1 %",
        if (0.0..0.01).contains(&late) { Status::Confirmed } else { Status::Differs },
        &format!("by {} of the transitions", percent(late, 1.0)),
    );
}
