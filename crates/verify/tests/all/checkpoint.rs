//! A search that was ended at any moment, and goes on with what was saved of it, says what one says that was not ended.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use lariat_core::exchange::local::{Local, local};
use lariat_core::{Broken, Event, Exchange};
use lariat_search::spread::{Keeping, Pace, Resumed};
use lariat_testing::facts;
use lariat_verify::engine::Engine;
use lariat_verify::{Answer, Asked, Config, Limits, Model, Order, Spread, Status};

/// An exchange that is cut after so many events.
struct Dying {
    end: Local,
    left: u64,
}

impl Dying {
    fn live(&mut self) -> Result<(), Broken> {
        let cut = || Broken { what: "cut by the test".to_owned() };
        self.left = self.left.checked_sub(1).ok_or_else(cut)?;
        Ok(())
    }
}

impl Exchange for Dying {
    fn me(&self) -> usize {
        self.end.me()
    }

    fn workers(&self) -> usize {
        self.end.workers()
    }

    fn may_send(&self) -> bool {
        self.end.may_send()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        self.end.send(to, bytes);
    }

    fn call(&mut self, word: u64) {
        self.end.call(word);
    }

    fn poll(&mut self) -> Result<Option<Event>, Broken> {
        self.live().and_then(|()| self.end.poll())
    }

    fn rest(&mut self) -> Result<Event, Broken> {
        self.live().and_then(|()| self.end.rest())
    }
}

/// A folder of this test that is empty.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("lariat-checkpoint-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }

    fn resumed(&self) -> Vec<Resumed> {
        Resumed::find(&self.0, &about()).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn about() -> Vec<(String, String)> {
    vec![("test".to_owned(), "checkpoints".to_owned())]
}

#[derive(Clone, Copy, Debug)]
struct Way {
    workers: usize,
    free: bool,
    /// Events until it is cut.
    lives: u64,
    memory: Option<usize>,
    saves: bool,
}

impl Way {
    /// By levels as long as these are not narrow; with two workers, soon.
    fn pace(self) -> Pace {
        match (self.free, self.workers) {
            (true, _) => Pace::Free,
            (false, 2) => Pace::Narrow(9),
            (false, _) => Pace::Levels,
        }
    }
}

const WHOLE: Way = Way { workers: 1, free: false, lives: u64::MAX, memory: None, saves: false };

/// What the first worker says; nothing if the run was broken.
fn asked(model: &Model, question: Asked, folder: &Folder, way: Way) -> Result<Answer, String> {
    let resumed = folder.resumed();
    let worker = |end: Local| {
        let every = if way.memory.is_some() { Duration::MAX } else { Duration::ZERO };
        let keeping = Keeping { folder: folder.0.clone(), every, cut_after: None, about: about() };
        let exchange = Dying { end, left: way.lives };
        let spread = Spread::new(exchange, way.pace())
            .keeping(way.saves.then_some(keeping), resumed.clone());
        let engine = Engine {
            set_after: Some(20),
            plan_after: Some(8),
            native_after: Some(10),
            spread: Some(spread),
            ..Engine::default()
        };
        let order = Order::Both { first: 10, in_products: 5 };
        let limits = Limits { memory: way.memory, ..Limits::default() };
        let config = Config { engine, order, limits, ..Config::default() };
        model.check(question, &config).map_err(|error| format!("{error:?}"))
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            local(way.workers).into_iter().map(|end| scope.spawn(|| worker(end))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    answers.into_iter().next().expect("there is a first one")
}

/// States, transitions and the verdict, with the length of a run.
fn said(answer: &Answer) -> (Status, Option<usize>, Option<[u64; 2]>) {
    let statistics = &answer.statistics;
    let counts = [statistics.states, statistics.transitions];
    let is_proof = answer.status() == Status::Holds && answer.run().is_none();
    let is_safety = answer.automaton_states.is_none();
    let steps = answer.run().filter(|_| is_safety).map(|run| run.whole().prefix().len());
    (answer.status(), steps, is_proof.then_some(counts))
}

const MODELS: [(&str, &[&str]); 4] = [
    (
        "byte a, b; active proctype p() { do :: a < 20 -> a++ :: a == 20 -> a = 15 od } active proctype q() { do :: b < 9 -> b++ :: b == 9 && a > 12 -> b = 0 od }",
        &["[]<> (b == 0)", "[]<> (a == 15)", "<>[] (b == 9)", "([]<> (a == 16) && []<> (b == 3)) -> []<> (b == 0)"],
    ),
    (
        "int a, b, c; active proctype p() { do :: a < 12 -> a++ :: b < 30 -> b = b + 3 :: c < 40 -> c = c + 7 :: a == 12 && b == 30 -> assert(c != 42) od }",
        &["<> (a == 12)", "[] (c < 50)", "([]<> (a == 12) && []<> (b == 30)) -> <> (c == 42)"],
    ),
    (
        "byte n, x; chan q = [3] of { byte };
         proctype worker(byte k) { byte own; do :: own < 3 -> own++; x = own * k :: q?own :: len(q) < 3 -> q!k :: break od }
         init { do :: n < 2 -> n++; run worker(n) :: break od }",
        &["[] (x < 9)", "[]<> (len(q) == 0) -> <> (n == 2)"],
    ),
    (
        "byte x, y; active [3] proctype p() { do :: x < 25 -> x++; assert(x != 24 || y < 9) :: y < 9 -> y++ :: x == 7 -> break od; 0 }",
        &["<>[] (x == 25)", "[]<> (y < 9)"],
    ),
];

#[test]
fn cut_at_any_moment_and_gone_on_with_it_says_the_same() {
    let mut random = fastrand::Rng::with_seed(23);
    let (mut all, mut cuts, mut goings_on) = (0, 0, 0);
    for (text, formulas) in MODELS {
        let mut model = Model::promela("test.pml", text).expect("a model");
        let mut questions = vec![model.safety().expect("a question")];
        questions.extend(formulas.iter().map(|formula| model.ltl(formula).expect("a formula")));
        for (number, &question) in questions.iter().enumerate() {
            let what = format!("question {number} of {text}");
            for free in [false, true] {
                let none = Folder::new("none");
                let whole = Way { free, ..WHOLE };
                let expected = said(&asked(&model, question, &none, whole).expect("an answer"));
                let folder = Folder::new("cut");
                let mut lives = 10;
                let found = loop {
                    goings_on += u32::from(!folder.resumed().is_empty());
                    let workers = random.usize(1..=4);
                    let way = Way { workers, free, lives, memory: None, saves: true };
                    match asked(&model, question, &folder, way) {
                        Ok(answer) => break answer,
                        Err(error) => {
                            assert!(
                                error.contains("test") || error.contains("ended before"),
                                "{error}"
                            );
                            cuts += 1;
                        }
                    }
                    lives += random.u64(5..60);
                };
                assert_eq!(said(&found), expected, "{what}");
                all += 1;
                let left = folder.files();
                assert!(left.is_empty() || expected.0 == Status::Violated, "{what}: {left:?}");
            }
        }
    }
    assert!(cuts > 5 * all && goings_on > 4 * all, "{cuts} cuts, {goings_on} of {all}");
}

/// As [`asked`], but cut when a worker has expanded so many states.
fn cut_after(model: &Model, question: Asked, folder: &Folder, states: u64) -> Answer {
    let worker = |end: Local| {
        let keeping = Keeping {
            folder: folder.0.clone(),
            every: Duration::MAX,
            cut_after: Some(states),
            about: about(),
        };
        let spread = Spread::new(end, Pace::Levels).keeping(Some(keeping), Vec::new());
        let engine = Engine {
            set_after: Some(20),
            plan_after: Some(8),
            native_after: Some(10),
            spread: Some(spread),
            ..Engine::default()
        };
        let order = Order::Both { first: 10, in_products: 5 };
        model.check(question, &Config { engine, order, ..Config::default() }).expect("an answer")
    };
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let threads: Vec<_> = local(2).into_iter().map(|end| scope.spawn(|| worker(end))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    answers.into_iter().next().expect("there is a first one")
}

/// The error is in the midst of a wide level: whoever is cut behind it tells of it, and nothing is left to go on with.
#[test]
fn an_error_of_a_level_that_is_cut_is_told() {
    let text = "byte a, b, c; active proctype p() { do :: a < 16 -> a++ :: b < 16 -> b++ :: c < 16 -> c++ :: a == 11 && b == 11 && c == 11 -> assert(false) od }";
    let mut model = Model::promela("test.pml", text).expect("a model");
    let question = model.safety().expect("a question");
    let none = Folder::new("not-cut");
    let whole = asked(&model, question, &none, WHOLE).expect("an answer");
    let expected = said(&whole);
    let (mut violated, mut open) = (0, 0);
    for states in (6_000..9_300).step_by(30) {
        let folder = Folder::new("cut-level");
        let answer = cut_after(&model, question, &folder, states);
        match answer.status() {
            Status::Inconclusive => {
                open += 1;
                let found = asked(&model, question, &folder, WHOLE).expect("an answer");
                assert_eq!(said(&found), expected, "{states}");
            }
            _ => {
                violated += u32::from(answer.statistics.states < whole.statistics.states);
                let (status, steps, _) = said(&answer);
                let least = expected.1.expect("a run");
                let is_near = steps.is_some_and(|steps| steps == least || steps == least + 1);
                assert!(status == Status::Violated && is_near, "{states}: {steps:?}");
                assert!(folder.files().is_empty(), "{states}");
            }
        }
    }
    assert!(violated > 0 && open > 10, "{violated} and {open}");
}

/// What somebody has left who died while he wrote.
#[test]
fn unfinished_files_are_removed() {
    let mut model = Model::promela("test.pml", MODELS[0].0).expect("a model");
    let question = model.safety().expect("a question");
    let folder = Folder::new("died");
    while folder.resumed().is_empty() {
        cut_after(&model, question, &folder, 40);
    }
    let whole = folder.files().into_iter().next().expect("a file");
    fs::copy(&whole, whole.with_extension("unfinished")).expect("a file");
    let way = Way { saves: true, ..WHOLE };
    asked(&model, question, &folder, way).expect("an answer");
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

/// With more memory and other workers each time.
#[test]
fn what_is_left_when_memory_is_full_is_gone_on_with() {
    let text = "byte a, b, c; active proctype p() { do :: a < 60 -> a++ :: b < 60 -> b++ :: c < 40 -> c++ :: a == 60 && b == 60 && c == 40 -> break od }";
    let mut model = Model::promela("test.pml", text).expect("a model");
    let safety = model.safety().expect("a question");
    for question in [safety, model.ltl("[]<> (a == 60)").expect("a formula")] {
        let none = Folder::new("no-limit");
        let expected = said(&asked(&model, question, &none, WHOLE).expect("an answer"));
        assert_eq!(expected.0, Status::Holds);
        let folder = Folder::new("full");
        let (mut memory, mut round, mut full) = (1_200_000, 0, 0);
        let found = loop {
            let way = Way { workers: 1 + round % 3, memory: Some(memory), saves: true, ..WHOLE };
            let answer = asked(&model, question, &folder, way).expect("an answer");
            match answer.status() {
                Status::Inconclusive => full += u32::from(!folder.resumed().is_empty()),
                _ => break answer,
            }
            memory += memory / 10;
            round += 1;
            assert!(memory < 1 << 30, "{round}");
        };
        assert_eq!(said(&found), expected);
        assert!(full > 1, "{full} of {round}");
    }
}

#[test]
fn facts_are_gone_on_with() {
    let (mut all, mut cuts) = (0, 0);
    let mut random = fastrand::Rng::with_seed(7);
    for path in facts("models", 10) {
        let mut model = Model::load(&path).expect("a model");
        let question = model.safety().expect("a question");
        let expected = said(&asked(&model, question, &Folder::new("no"), WHOLE).expect("it ends"));
        let folder = Folder::new("facts");
        let mut lives = 4;
        let found = loop {
            let workers = random.usize(1..=3);
            let way = Way { workers, free: false, lives, memory: None, saves: true };
            match asked(&model, question, &folder, way) {
                Ok(found) => break found,
                Err(_) => cuts += 1,
            }
            lives += random.u64(3..20);
        };
        assert_eq!(said(&found), expected, "{}", path.display());
        all += 1;
    }
    assert!(cuts > all, "{cuts} of {all}");
}

/// No byte can be changed, and none can be missing, without being noticed.
#[test]
fn damaged_files_give_an_error_and_no_answer() {
    let mut model = Model::promela("test.pml", MODELS[0].0).expect("a model");
    let safety = model.safety().expect("a question");
    for question in [safety, model.ltl(MODELS[0].1[0]).expect("a formula")] {
        let folder = Folder::new("damaged");
        let mut lives = 20;
        while folder.resumed().is_empty() {
            let way = Way { workers: 2, lives, saves: true, ..WHOLE };
            assert!(asked(&model, question, &folder, way).is_err(), "cut too late");
            lives += 1;
        }
        let mut random = fastrand::Rng::with_seed(3);
        for path in folder.files() {
            let whole = fs::read(&path).expect("a file");
            let mut damaged: Vec<Vec<u8>> = Vec::new();
            for _ in 0..40 {
                let mut flipped = whole.clone();
                flipped[random.usize(..whole.len())] ^= 1 << random.u32(..8);
                damaged.push(flipped);
                damaged.push(whole[..random.usize(..whole.len())].to_vec());
            }
            for bytes in damaged {
                fs::write(&path, bytes).expect("a file");
                match Resumed::find(&folder.0, &about()) {
                    Err(why) => assert!(why.contains("checkpoint"), "{why}"),
                    Ok(_) => {
                        let answer = asked(&model, question, &folder, WHOLE);
                        let error = answer.err().expect("a file is damaged");
                        assert!(error.contains("damaged") || error.contains("cut off"), "{error}");
                    }
                }
            }
            fs::write(&path, whole).expect("a file");
        }
        asked(&model, question, &folder, WHOLE).expect("it is whole again");
    }
}

#[test]
fn what_belongs_to_something_else_is_refused() {
    let mut model = Model::promela("test.pml", MODELS[1].0).expect("a model");
    let question = model.safety().expect("a question");
    let folder = Folder::new("other");
    let mut lives = 20;
    while folder.resumed().is_empty() {
        let way = Way { workers: 3, lives, saves: true, ..WHOLE };
        assert!(asked(&model, question, &folder, way).is_err(), "cut too late");
        lives += 1;
    }
    let other = vec![("test".to_owned(), "something else".to_owned())];
    let why = Resumed::find(&folder.0, &other).expect_err("it is of another search");
    assert!(why.contains("test: 'checkpoints' there, 'something else' here"), "{why}");
    let files = folder.files();
    let last = files.iter().max().expect("there are files");
    fs::remove_file(last).expect("a file");
    let why = Resumed::find(&folder.0, &about()).map(|found| found.len());
    assert!(why.is_err() || files.len() > 3, "{why:?}");
    // It is about the model, too: nothing of another one is used.
    let nothing = Folder::new("nothing");
    assert!(Resumed::find(&nothing.0, &about()).is_err());
}

/// Of two runs that were killed while they saved the same generation, one file each may be left.
#[test]
fn files_of_two_runs_do_not_go_together() {
    let mut model = Model::promela("test.pml", MODELS[0].0).expect("a model");
    let question = model.safety().expect("a question");
    // One checkpoint and nothing else: which worker is cut first depends on the threads.
    let saved = |name: &str| loop {
        let folder = Folder::new(name);
        let mut lives = 20;
        while folder.resumed().is_empty() {
            let way = Way { workers: 2, lives, saves: true, ..WHOLE };
            assert!(asked(&model, question, &folder, way).is_err(), "cut too late");
            lives += 1;
        }
        if folder.files().len() == 2 {
            return folder;
        }
    };
    let second = |folder: &Folder| folder.files().into_iter().max().expect("a file");
    let one = saved("one");
    let to = second(&one);
    let (other, from) = loop {
        let other = saved("other");
        let from = second(&other);
        if from.file_name() == to.file_name() {
            break (other, from);
        }
    };
    fs::copy(from, to).expect("a file");
    drop(other);
    let why = Resumed::find(&one.0, &about()).expect_err("they do not go together");
    assert!(why.contains("is whole"), "{why}");
}
