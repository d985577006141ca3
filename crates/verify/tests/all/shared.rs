//! Explorations without numbers, on one thread or more, count what those with numbers count; and they end when they
//! are told to.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use lariat_core::{Cursor, Flat, Limit, Props, StateSpace, Successors, Word};
use lariat_model::interp::{Fault, ModelSpace};
use lariat_model::ir::Model;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_model::steps::{Begun, ModelSteps, StepReport};
use lariat_search::bounded::explore_threads;
use lariat_search::safety::{Exploration, ExploreOptions, Order, Sharing, explore_shared};
use lariat_store::{Bits, Scratch, Tree, Tuning};
use lariat_system::System;
use lariat_testing::facts;
use lariat_verify::Silent;
use lariat_verify::engine::{Engine, EngineSwitches};

fn options() -> ExploreOptions {
    ExploreOptions { order: Order::BreadthFirst, hidden_is_state: true, ..Default::default() }
}

fn numbered() -> Engine {
    let switches = EngineSwitches { numbered: true, ..Default::default() };
    Engine { switches, native_after: Some(10), ..Engine::default() }
}

/// Without numbers from so many states on, in a shape from so few that fields are soon too small.
fn shared(threads: usize, after: u64, plan: usize) -> Engine {
    let (threads, set_after, plan_after) = (Some(threads), Some(after), Some(plan));
    Engine { threads, set_after, plan_after, native_after: Some(10), ..Engine::default() }
}

fn explored(engine: &Engine, model: &Model, options: &ExploreOptions) -> Option<Exploration> {
    let found: Result<_, Vec<Fault>> = engine.explore(model, options, &Silent);
    found.ok()
}

fn assert_same(expected: &Exploration, found: &Exploration, what: &str) {
    let counts = |found: &Exploration| {
        (found.states, found.transitions, found.matched, found.depth, found.deadlocks)
    };
    assert_eq!(counts(expected), counts(found), "{what}");
    assert_eq!(expected.atomic_steps, found.atomic_steps, "{what}");
    assert_eq!((&expected.errors, expected.limit), (&found.errors, found.limit), "{what}");
    assert_eq!(expected.executed, found.executed, "{what}");
}

fn promela(text: &str) -> Model {
    load_text("test.pml", text, &PromelaOptions::default()).expect("a model").model
}

/// Counters that come to values which nobody has foreseen, and processes that are started late.
const GROWING: [&str; 4] = [
    "int a, b, c; active proctype p() { do :: a < 60 -> a++ :: b < 60 -> b = b + 3 :: c < 400 -> c = c + 7 od }",
    "byte n, x; chan q = [3] of { byte };
     proctype worker(byte k) { byte own; do :: own < 3 -> own++; x = own * k :: q?own :: len(q) < 3 -> q!k :: break od }
     init { do :: n < 2 -> n++; run worker(n) :: break od }",
    "byte x; proctype a(byte k) { byte i; do :: i < 2 -> i++ :: x = k od } proctype b() { byte j[3]; do :: j[0] < 2 -> j[0]++; j[1] = x :: break od }
     init { do :: x < 9 -> x++ :: run a(7); break :: run b(); break od; run b(); run a(3) }",
    "byte x, y; active [3] proctype p() { do :: x < 25 -> x++; assert(x != 20) :: y < 9 -> y++ :: x == 7 -> break od; 0 }",
];

#[test]
fn counts_of_growing_models_are_those_with_numbers() {
    for text in GROWING {
        let model = promela(text);
        let expected = explored(&numbered(), &model, &options()).expect("states");
        assert!(expected.states > 1_000, "{}: {text}", expected.states);
        for threads in 1..=3 {
            for (after, plan) in [(30, 4), (100, 60), (900, 200), (700, 8_192)] {
                let found = explored(&shared(threads, after, plan), &model, &options());
                let what = format!("{threads} threads, {after}, {plan}: {text}");
                assert_same(&expected, &found.expect("states"), &what);
            }
        }
    }
}

/// Many words, each with many values: more than a root holds.
const WIDE: &str = "typedef message { int seq; int data } int window[6], sum; byte first, next; message link[9]; byte in, out;
     active proctype source() { do
       :: next < 4 && next - first < 3 -> d_step { window[next % 6] = next * 7919 + 1; next++ }
     :: next > first && in < out + 3 -> d_step { link[in % 3].seq = next; link[in % 3].data = window[(next - 1) % 6] * 31; in++ }
     :: first < next -> d_step { window[first % 6] = 0; first++ }
     :: out < in && in < 9 -> d_step { sum = (sum * 17 + link[out % 3].data) % 4001; link[3 + out % 6].data = sum; out++ } od }";

/// Pairs of parts from so few bits on that states are packed anew several times, and groups are cut.
#[test]
fn pairs_of_parts_change_no_count() {
    for text in GROWING.iter().copied().chain([WIDE]) {
        let model = promela(text);
        let expected = explored(&numbered(), &model, &options()).expect("states");
        assert!(expected.states > 1_000, "{}: {text}", expected.states);
        for threads in 1..=3 {
            for (after, plan, bits) in
                [(30, 4, 1), (30, 4, 9), (100, 60, 12), (500, 8_192, 16), (700, usize::MAX, 20)]
            {
                let engine = Engine { root_bits: Some(bits), ..shared(threads, after, plan) };
                let found = explored(&engine, &model, &options()).expect("states");
                let what = format!("{threads} threads, {after}, {plan}, {bits} bits: {text}");
                assert_same(&expected, &found, &what);
            }
        }
    }
}

#[test]
fn counts_of_facts_are_those_with_numbers() {
    let mut all = 0;
    for (folder, least) in [("promela", 278), ("dve", 159), ("models", 10)] {
        for path in facts(folder, least) {
            let Ok(loaded) = lariat_verify::Model::load(&path) else { continue };
            let model = loaded.loaded().model();
            let most = ExploreOptions { max_states: Some(20_000), ..options() };
            let Some(expected) = explored(&numbered(), model, &most) else { continue };
            if expected.limit == Some(Limit::States) {
                continue;
            }
            all += 1;
            for (threads, after, plan, root_bits) in [
                (1, 10, 4, None),
                (2, 25, 25, None),
                (3, 60, 25, None),
                (1, 25, 8, Some(6)),
                (2, 20, 15, Some(14)),
            ] {
                let engine = Engine { root_bits, ..shared(threads, after, plan) };
                let found = explored(&engine, model, &options());
                let what = format!("{} on {threads} threads, {root_bits:?}", path.display());
                assert_same(&expected, &found.expect("states"), &what);
            }
        }
    }
    assert!(all > 350, "{all}");
}

/// Some million states.
const LARGE: &str = "byte a, b, c; active proctype p() { do :: a++ :: b++ :: c++ od }";

fn reduced() -> ExploreOptions {
    ExploreOptions { reduces: true, stop_at_error: true, ..options() }
}

/// One thread keeps numbers; several go by levels, and count the same however many they are.
#[test]
fn where_reduction_pays_it_is_kept() {
    let rings = "byte x; active [3] proctype p() { byte own; do :: own < 9 -> own++ :: own == 9 -> own = 0; x = 1 od }";
    let ends = "active [3] proctype p() { byte own; do :: own < 9 -> own++ :: else -> break od }";
    for text in [ends, rings] {
        let model = promela(text);
        let expected = explored(&numbered(), &model, &reduced()).expect("a model");
        let whole = explored(&numbered(), &model, &options()).expect("a model");
        assert!(2 * expected.states < whole.states, "{} of {}", expected.states, whole.states);
        let one = explored(&shared(1, 5, 5), &model, &reduced()).expect("a model");
        assert_same(&expected, &one, "with reduction");
        for after in [1, 5, 12] {
            let two = explored(&shared(2, after, 5), &model, &reduced()).expect("a model");
            assert!(2 * two.states < whole.states, "{} of {}", two.states, whole.states);
            for threads in [2, 3, 4, 4] {
                let found = explored(&shared(threads, after, 5), &model, &reduced());
                assert_same(&two, &found.expect("a model"), &format!("{threads} threads"));
            }
        }
    }
}

/// Processes that go round in graphs of their own, and seldom look at what is common; an assertion of one fails if others come to something together.
pub(crate) fn loops(random: &mut fastrand::Rng) -> String {
    let mut text = "byte x, y;\n".to_owned();
    for process in 0..random.usize(2..4) {
        text += &format!("active proctype p{process}() {{ byte own;\n");
        let points = random.usize(2..6);
        for point in 0..points {
            text += &format!("l{point}: if");
            for _ in 0..random.usize(1..3) {
                let to = random.usize(..points);
                let does = match random.u32(..14) {
                    0 => "x = 1; y = 0",
                    1 => "y = 1",
                    2 => "x == y",
                    3 => "assert(x + y != 2)",
                    4 => "own = x",
                    _ => "own = 1 - own",
                };
                text += &format!(" :: {does} -> goto l{to}");
            }
            text += " fi;\n";
        }
        text += "}\n";
    }
    text
}

/// With what is left out by levels, errors are found as without; counts are those of any number of threads.
#[test]
fn no_error_is_put_off_for_ever() {
    let seed = std::env::var("LARIAT_SEED").map_or(7, |seed| seed.parse().expect("a number"));
    let count =
        std::env::var("LARIAT_SWEEP_COUNT").map_or(600, |many| many.parse().expect("a number"));
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut violated, mut smaller) = (0, 0);
    for number in 0..count {
        let text = loops(&mut random);
        let model = promela(&text);
        let full = ExploreOptions { stop_at_error: true, ..options() };
        let expected = explored(&numbered(), &model, &full).expect("a model");
        let mut counts = None;
        for threads in [2, 3] {
            let engine = shared(threads, random.u64(1..3), 4);
            let engine = Engine { set_after: Some(number % 4 + 1), ..engine };
            let found = explored(&engine, &model, &reduced()).expect("a model");
            let what = format!("seed {seed}, model {number}, {threads} threads:\n{text}");
            assert_eq!(expected.first_error.is_some(), found.first_error.is_some(), "{what}");
            if expected.first_error.is_some() {
                violated += 1;
                break;
            }
            assert!(found.states <= expected.states && found.limit.is_none(), "{what}");
            smaller += usize::from(found.states < expected.states);
            let counted = (found.states, found.transitions, found.depth);
            assert_eq!(*counts.get_or_insert(counted), counted, "{what}");
        }
    }
    assert!(
        violated * 20 > count && smaller * 8 > count as usize,
        "{violated} and {smaller} of {count}"
    );
}

#[test]
fn a_limit_of_memory_is_kept() {
    let model = promela(LARGE);
    for threads in 1..=3 {
        for limit in [3 << 20, 9_000_000, 20 << 20] {
            let options = ExploreOptions { max_memory: Some(limit), ..options() };
            let found = explored(&shared(threads, 2_000, 500), &model, &options).expect("states");
            assert_eq!(found.limit, Some(Limit::Memory));
            assert!(found.memory <= limit, "{} of {limit}", found.memory);
            assert!(found.states > 10_000 && found.states < 1 << 24, "{}", found.states);
        }
    }
}

#[test]
fn an_error_is_as_near_as_with_numbers() {
    let model = promela(
        "byte a, b, c; active proctype p() { do :: a < 30 -> a++ :: b < 30 -> b++ :: c < 30 -> c++ od }
         active proctype q() { (a == 17 && b == 5 && c == 3) -> assert(false) }",
    );
    let options = ExploreOptions { stop_at_error: true, ..options() };
    let expected = explored(&numbered(), &model, &options).expect("states");
    let length = |found: &Exploration| found.first_error.as_ref().expect("an error").rows.len();
    for threads in 1..=3 {
        let found = explored(&shared(threads, 50, 30), &model, &options).expect("states");
        assert_eq!(length(&found), length(&expected));
        let run = found.first_error.expect("an error").commands(&model).expect("its commands");
        assert_eq!(run.len(), length(&expected));
    }
}

/// Steps of the interpreter; the one with this number panics after a while, or never.
struct Troubled<'m> {
    space: ModelSpace<'m>,
    left: Option<usize>,
}

impl Successors for Troubled<'_> {
    type Batch = Flat;
    fn batch(&self, room: usize) -> Flat {
        self.space.batch(room)
    }
    fn initial(&mut self, out: &mut Flat) {
        self.space.initial(out);
    }
    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1).expect("a panic on purpose");
        }
        self.space.expand(src, at, out);
    }
}

impl StateSpace for Troubled<'_> {
    fn props(&mut self, state: &[Word]) -> Props {
        self.space.props(state)
    }
}

impl ModelSteps for Troubled<'_> {
    fn report(&self) -> &StepReport {
        self.space.report()
    }
    fn expand_by_process(&mut self, row: &[Word], out: &mut Flat, by: &mut Vec<Begun>) {
        self.space.expand_by_process(row, out, by);
    }
    fn executed(&self) -> &[bool] {
        self.space.executed()
    }
    fn undefined(&self) -> Props {
        self.space.undefined()
    }
    fn width(&self) -> usize {
        self.space.width()
    }
    fn wanted_width(&self) -> usize {
        self.space.wanted_width()
    }
    fn hidden_words(&self) -> usize {
        self.space.hidden_words()
    }
}

/// An exploration of the large model on three threads; the steps that were made as number `troubled` panic.
fn with_trouble(
    model: &Model,
    options: &ExploreOptions,
    troubled: Option<usize>,
    watch: &mut (dyn FnMut(u64) -> bool + Send),
) -> Exploration {
    let made = AtomicUsize::new(0);
    let steps = |width| {
        let is_troubled = troubled == Some(made.fetch_add(1, Relaxed));
        let space = ModelSpace::new(model, width, Vec::new());
        Box::new(Troubled { space, left: is_troubled.then_some(5_000) }) as Box<dyn ModelSteps + '_>
    };
    let tree =
        |width| Tree::new(width).with_tuning(Tuning { first_plan: 500, ..Tuning::default() });
    let sharing = Sharing { threads: 3, after: 1_000 };
    explore_shared(model, options, sharing, steps, tree, &mut |now| watch(now.states))
        .expect("initial values are fine")
}

#[test]
fn a_panic_in_one_thread_ends_all() {
    let model = promela(LARGE);
    for troubled in 0..3 {
        let explore = || with_trouble(&model, &options(), Some(troubled), &mut |_| true);
        let panic = catch_unwind(AssertUnwindSafe(explore)).expect_err("it panics");
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a text");
        assert!(text.contains("a panic on purpose"), "{text}");
    }
}

/// The same of a bit-state search.
#[test]
fn a_panic_in_one_thread_ends_all_that_share_an_array() {
    let model = promela(LARGE);
    for troubled in 0..3 {
        let mut bits = Bits::new(26, 3, 1);
        let with_steps = |number: usize| {
            let space = ModelSpace::new(&model, ModelSpace::minimal_width(&model), Vec::new());
            let left = (number == troubled).then_some(5_000);
            System::of_states(&model, Box::new(Troubled { space, left }), true, Scratch::new)
        };
        let mut systems: Vec<_> = (0..3).map(with_steps).collect();
        let width = ModelSpace::minimal_width(&model);
        let explore = || {
            let shared = bits.shared();
            explore_threads(&mut systems, width, &model, &options(), &shared, &mut |_, _, _| true)
        };
        let panic = catch_unwind(AssertUnwindSafe(explore)).expect_err("it panics");
        let text = panic.downcast_ref::<String>().expect("a text");
        assert!(text.contains("a panic on purpose"), "{text}");
    }
}

#[test]
fn who_watches_can_end_it() {
    let model = promela(LARGE);
    let found = with_trouble(&model, &options(), None, &mut |states| states < 100_000);
    assert_eq!(found.limit, Some(Limit::Interrupted));
    assert!(found.states >= 100_000 && found.states < 1 << 24);
    let options = ExploreOptions { time_limit: Some(Duration::from_millis(300)), ..options() };
    let found = with_trouble(&model, &options, None, &mut |_| true);
    assert_eq!(found.limit, Some(Limit::Time));
    // How far it comes depends on who else is at work.
    assert!(found.states < 1 << 24, "{} states", found.states);
}
