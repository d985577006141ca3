//! The graph of a system is the same, id by id and edge by edge, whoever computes steps, remembers
//! them or keeps states. `LARIAT_REMEMBERED_STATES` sets how large models may be.

use std::path::Path;

use crate::common::{Fair, generate, generate_dve};
use lariat_codegen::NativeSpace;
use lariat_core::{FlatArena, Limit, MAX_STATES, Marks, SystemStore, Word};
use lariat_model::dve;
use lariat_model::interp::ModelSpace;
use lariat_model::ir::Model;
use lariat_model::promela::{self, PromelaOptions};
use lariat_model::steps::ModelSteps;
use lariat_store::{Exact, Tree, Tuning};
use lariat_system::{Edges, Remember, Stop, System, SystemGraph, with_room};
use lariat_testing::{PROMELA, facts, files, repository};

/// What a walk sees.
#[derive(PartialEq, Eq, Debug, Default)]
struct Seen {
    edges: Edges,
    rows: Vec<Vec<Word>>,
}

impl Seen {
    /// Where two walks part.
    fn differs_from(&self, other: &Seen) -> Option<String> {
        if self == other {
            return None;
        }
        let sources = 0..self.edges.sources().min(other.edges.sources());
        let of = |seen: &Seen, source: usize| seen.edges.ids[seen.edges.of(source)].to_vec();
        let at = sources.clone().find(|&source| of(self, source) != of(other, source));
        let marks = |seen: &Seen, at: usize| seen.edges.marks.get(at).copied();
        let edges = 0..self.edges.ids.len();
        if let Some(edge) =
            edges.clone().find(|&edge| at.is_none() && marks(self, edge) != marks(other, edge))
        {
            let (ours, theirs) = (marks(self, edge), marks(other, edge));
            return Some(format!("edge {edge} has marks {ours:?}, not {theirs:?}"));
        }
        Some(match at {
            Some(at) => format!("state {at}: {:?}, not {:?}", of(self, at), of(other, at)),
            None => format!(
                "{} {} {:?} {:?}, not {} {} {:?} {:?}; rows agree: {}",
                self.rows.len(),
                self.edges.atomic_steps,
                self.edges.blocked,
                self.edges.faults,
                other.rows.len(),
                other.edges.atomic_steps,
                other.edges.blocked,
                other.edges.faults,
                self.rows == other.rows
            ),
        })
    }
}

/// Walks breadth first, so many states at a time.
fn walk<S: SystemStore<Row = [Word]>>(
    system: &mut System<'_, S>,
    at_once: usize,
    most: usize,
) -> Result<Seen, Stop> {
    let (mut seen, mut ids) = (Seen::default(), Vec::new());
    system.allow_wide_ids();
    system.initial(&mut ids)?;
    let mut next = 0;
    while next < system.len() {
        if system.len() > most {
            return Err(Limit::States.into());
        }
        ids.clear();
        ids.extend(next as u64..system.len().min(next + at_once) as u64);
        next += system.expand(&ids, &mut seen.edges)?;
    }
    // How far an atomic sequence goes is told of states that are expanded as a whole.
    seen.edges.deepest = 0;
    seen.rows = (0..next as u64).map(|id| system.load(id).to_vec()).collect();
    Ok(seen)
}

/// Who computes steps, and how.
#[derive(Clone, Copy, Debug)]
struct How {
    interprets: bool,
    is_flat: bool,
    remember: Remember,
    hurries: bool,
    /// Ids up to here have 32 bits.
    narrow: usize,
    at_once: usize,
}

const PLAIN: How = How {
    interprets: true,
    is_flat: true,
    remember: Remember::Never,
    hurries: false,
    narrow: MAX_STATES,
    at_once: 1,
};

const OTHERS: [How; 4] = [
    How { is_flat: false, hurries: true, at_once: 70, ..PLAIN },
    How { interprets: false, is_flat: false, at_once: 70, ..PLAIN },
    How {
        interprets: false,
        is_flat: false,
        remember: Remember::Early,
        hurries: true,
        at_once: 9,
        ..PLAIN
    },
    How {
        interprets: false,
        is_flat: false,
        remember: Remember::Usually,
        narrow: 700,
        at_once: 70,
        ..PLAIN
    },
];

fn see(model: &Model, how: How, most: usize, fair: Option<Fair>) -> Result<Seen, Stop> {
    with_room(model, |room| {
        let fair = fair.filter(|fair| fair.fairness.mark_count(room.processes) <= Marks::MAX);
        let marks = fair.map(|fair| fair.marks(model, room.processes));
        let steps: Box<dyn ModelSteps + '_> = match how.interprets {
            true => {
                let space = ModelSpace::new(model, room.width, Vec::new());
                match marks {
                    Some(marks) => Box::new(space.with_fairness(marks)),
                    None => Box::new(space),
                }
            }
            // Models that code cannot be made for are interpreted.
            false => {
                let space = NativeSpace::new(model, room.width, Vec::new());
                let space = space.with_code_after(Some(1), Some(9));
                match marks {
                    Some(marks) => Box::new(space.with_fairness(marks)),
                    None => Box::new(space),
                }
            }
        };
        if how.is_flat {
            let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
            return walk(&mut System::of_states(model, steps, true, flat), how.at_once, most);
        }
        let usual = Tuning::default();
        let first_plan = if how.hurries { 40 } else { usual.first_plan };
        let tuning = Tuning { first_plan, ..Tuning::default() };
        let tree = |width| Tree::new(width).with_tuning(tuning).with_narrow_ids_up_to(how.narrow);
        let system = System::of_states(model, steps, true, tree);
        let mut system = system.remembering_steps(how.remember);
        walk(&mut system, how.at_once, most)
    })
}

/// States, if the whole space was seen.
fn compare(model: &Model, most: usize, fair: Option<Fair>) -> Result<usize, String> {
    let Ok(plain) = see(model, PLAIN, most, fair) else { return Ok(0) };
    for how in OTHERS {
        let seen =
            see(model, how, usize::MAX, fair).map_err(|stop| format!("{how:?}: {stop:?}"))?;
        if let Some(what) = seen.differs_from(&plain) {
            return Err(format!("{how:?}: {what}"));
        }
    }
    Ok(plain.rows.len())
}

#[test]
fn random_models() {
    let mut states = 0;
    for seed in 1..=300 {
        let text = generate::model(seed);
        let loaded = promela::load_text("random.pml", &text, &PromelaOptions::default());
        let model = loaded.map_err(|_| "refused").expect("the generator knows the language").model;
        match compare(&model, 3_000, Fair::by(seed)) {
            Ok(more) => states += more,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
    println!("{states} states");
    assert!(states > 10_000, "{states}");
}

#[test]
fn micro_models() {
    let mut states = 0;
    for (number, path) in facts("promela", 278).into_iter().enumerate() {
        let Ok(loaded) = promela::load(&path, &PromelaOptions::default()) else { continue };
        match compare(&loaded.model, 20_000, Fair::by(number as u64)) {
            Ok(more) => states += more,
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    assert!(states > 3_000, "{states}");
}

#[test]
fn random_dve_models() {
    let mut states = 0;
    for seed in 1..=400 {
        let text = generate_dve::model(seed);
        let loaded = dve::load_text("random.dve", &text, dve::DveOptions { property: true });
        let model = loaded.map_err(|_| "refused").expect("the generator knows the language").model;
        match compare(&model, 3_000, Fair::by(seed)) {
            Ok(more) => states += more,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
    println!("{states} states");
    assert!(states > 10_000, "{states}");
}

/// Fischer's protocol: a timer counts down all clocks at once, if none of them is 0. The text of a process has `#` for its number.
fn clocks(processes: usize, timer: &str, process: &str) -> String {
    let all = |of_one: &str, between: &str| {
        let texts = (0..processes).map(|number| of_one.replace('#', &number.to_string()));
        texts.collect::<Vec<_>>().join(between)
    };
    let guard = all("t[#] != 0", " && ");
    let effect = all("t[#] = (t[#] - 1) | ((t[#] == 9) * 9)", ",");
    timer.replace("GUARD", &guard).replace("EFFECT", &effect) + &all(process, "\n")
}

const DVE_TIMER: &str = "byte id; byte t[5] = {9, 9, 9, 9, 9};
    process Timer { state q; init q; trans q -> q { guard GUARD; effect EFFECT; }; }\n";
const DVE_PROCESS: &str = "process P# { state away, try, wait, inside; init away; trans
        away -> try { guard id == 0; effect t[#] = 2; },
        try -> wait { effect t[#] = 3, id = # + 1; },
        wait -> wait { guard t[#] == 0; effect t[#] = 9; },
        wait -> inside { guard t[#] == 9 && id == # + 1; },
        wait -> away { guard t[#] == 9 && id != # + 1; },
        inside -> away { effect id = 0; }; }";

const TIMER: &str = "byte id; byte t[5] = 9;
    active proctype Timer() { do :: d_step { GUARD; EFFECT } od }\n";
const PROCESS: &str = "active proctype P#() {
        away: d_step { id == 0; t[#] = 2 };
        d_step { t[#] = 3; id = # + 1 };
        do
        :: d_step { t[#] == 0; t[#] = 9 }
        :: t[#] == 9 && id == # + 1 -> break
        :: t[#] == 9 && id != # + 1 -> goto away
        od;
        id = 0; goto away }";

/// What is known of a step by the pieces of its command is right, with and without marks.
#[test]
fn commands_of_many_factors() {
    let dve = clocks(5, DVE_TIMER, DVE_PROCESS) + "\nsystem async;";
    let loaded = dve::load_text("clocks.dve", &dve, dve::DveOptions { property: false });
    let of_dve = loaded.map_err(|_| "refused").expect("a model").model;
    let promela = clocks(5, TIMER, PROCESS).replace("),t", "); t");
    let loaded = promela::load_text("clocks.pml", &promela, &PromelaOptions::default());
    let of_promela = loaded.map_err(|_| "refused").expect("a model").model;
    for model in [of_dve, of_promela] {
        for fair in [None, Fair::by(0), Fair::by(4), Fair::by(5), Fair::by(6)] {
            let states =
                compare(&model, usize::MAX, fair).unwrap_or_else(|error| panic!("{error}"));
            assert!(states > 5_000, "{states}");
        }
    }
}

fn load_dve(path: &Path, property: bool) -> Result<Model, dve::Failure> {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    dve::load_text("model.dve", &text, dve::DveOptions { property }).map(|loaded| loaded.model)
}

#[test]
fn dve_micro_models_and_examples() {
    let mut states = 0;
    let mut paths = facts("dve", 159);
    paths.extend(files(&repository().join("examples"), &["dve"]));
    for (number, path) in paths.into_iter().enumerate() {
        for property in [true, false] {
            let Ok(model) = load_dve(&path, property) else { continue };
            match compare(&model, 20_000, Fair::by(number as u64)) {
                Ok(more) => states += more,
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    assert!(states > 500, "{states}");
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn corpus() {
    let given = std::env::var("LARIAT_REMEMBERED_STATES").ok();
    let largest = given.and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let (mut models, mut states) = (0, 0);
    let corpus = lariat_testing::corpus();
    let mut paths = files(&corpus.join("beem/pm"), PROMELA);
    paths.extend(files(&corpus.join("beem/dve"), &["dve"]));
    for path in paths {
        let loaded = match path.extension().is_some_and(|ending| ending == "dve") {
            true => load_dve(&path, true).ok(),
            false => {
                promela::load(&path, &PromelaOptions::default()).ok().map(|loaded| loaded.model)
            }
        };
        let Some(model) = loaded else { continue };
        match compare(&model, largest, Fair::by(models as u64)) {
            Ok(0) => {}
            Ok(more) => {
                models += 1;
                states += more;
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    println!("{models} models, {states} states");
    assert!(models > 10, "{models}");
}

const COUNTERS: &str = "byte a, b, c;
    active proctype A() { do :: a = (a + 1) % 60 od }
    active proctype B() { do :: b = (b + 1) % 60 od }
    active proctype C() { do :: c = (c + 1) % 60 :: d_step { c == a -> c = b } od }";

fn counters() -> Model {
    let loaded = promela::load_text("model.pml", COUNTERS, &PromelaOptions::default());
    loaded.map_err(|_| "refused").expect("a model").model
}

fn of_counters(model: &Model) -> System<'_, Tree> {
    of_fair_counters(model, None)
}

fn of_fair_counters(model: &Model, fair: Option<Fair>) -> System<'_, Tree> {
    let width = ModelSpace::minimal_width(model);
    let mut steps = NativeSpace::new(model, width, Vec::new()).with_code_after(Some(1), Some(9));
    if let Some(fair) = fair {
        steps = steps.with_fairness(fair.marks(model, 3));
    }
    System::of_states(model, Box::new(steps), true, Tree::new)
}

/// The limit of memory holds while steps are remembered, and nothing is lost before it.
#[test]
fn the_memory_limit_is_hard() {
    let model = counters();
    let whole = walk(&mut of_counters(&model), 70, usize::MAX).unwrap();
    assert_eq!(whole.rows.len(), 216_000);
    let mut before = 0;
    for limit in [200_000, 500_000, 1_500_000, 3_000_000] {
        let mut system = of_counters(&model).with_limit(Some(limit));
        let cut = walk(&mut system, 70, usize::MAX).map(drop);
        assert_eq!(cut, Err(Limit::Memory.into()), "limit {limit}");
        assert!(system.bytes() <= limit, "{} of {limit}", system.bytes());
        assert!(system.len() > before && system.len() < whole.rows.len(), "{}", system.len());
        before = system.len();
    }
}

/// Successors from the cache are those that were computed, and a cache keeps to the limit.
#[test]
fn cached_successors_are_the_same() {
    let model = counters();
    let most = 3_000;
    for (limit, fair) in [None, Some(400_000)]
        .into_iter()
        .flat_map(|limit| [None, Fair::by(0), Fair::by(1)].map(|fair| (limit, fair)))
    {
        let mut plain = of_fair_counters(&model, fair);
        let _ = walk(&mut plain, 70, most).map(drop);
        let mut cached = of_fair_counters(&model, fair).with_limit(limit).with_edge_cache(1 << 20);
        let _ = walk(&mut cached, 1, most).map(drop);
        let (mut ours, mut theirs) = (Edges::default(), Edges::default());
        for id in (0..1_000).chain(0..1_000) {
            ours.clear();
            theirs.clear();
            assert_eq!(cached.expand(&[id], &mut ours), Ok(1));
            assert_eq!(plain.expand(&[id], &mut theirs), Ok(1));
            assert_eq!(ours.ids, theirs.ids, "state {id}");
            assert_eq!(ours.marks, theirs.marks, "state {id}");
            assert_eq!(ours.marks.is_empty(), fair.is_none());
        }
        assert!(limit.is_none_or(|limit| cached.bytes() <= limit), "{}", cached.bytes());
    }
}
