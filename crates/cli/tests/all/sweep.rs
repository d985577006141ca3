//! Temporal properties with the breadth-first sweep before the check and without it: the same
//! verdicts, and the same states where nothing is found.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Two counters that need each other, and one that may end.
const MODEL: &str = "
byte a, b;
bool done;
active proctype A() { do :: a == b || a == (b + 1) % SIZE -> a = (a + 1) % SIZE od }
active proctype B() { do :: b = (b + 1) % SIZE :: done -> b = 0 od }
active proctype Last() { do :: a == LATE && !done -> done = true :: done -> break od }
";

const FORMULAS: &[&str] = &[
    "[](a <= SIZE)",
    "[] !done",
    "<> done",
    "[]<> (a == 0)",
    "<>[] (a == 0)",
    "[]<> (b < SIZE)",
    "[] (done -> [] done)",
    "[] (done -> <> (b == 0))",
    "[] (a == 1 -> (a == 1 U a != 1))",
    "[] (a == 1 -> <> (a == 2))",
    "<> (done && [] (b != 1))",
    "([]<> (a == 1)) -> ([]<> (a == 2))",
    "([]<> (a == 1)) && ([]<> (b == 2)) -> []<> done",
    "(!done) U (a == LATE)",
    "(!done) W (a == LATE)",
    "[] (a == 0 -> X (a <= 1))",
    "[] (b == 2 -> X (b == 2 || b == 3 || b == 0))",
    "<>[] done || []<> (a == b)",
    "[] (done -> (b != 3 || X [] (b == 0)))",
    "!<> (done && X (a == LATE && X (b == 1)))",
];

struct Check<'a> {
    file: &'a Path,
    arguments: Vec<String>,
}

impl Check<'_> {
    /// All properties: name, verdict, and what was counted if nothing was found.
    fn run(&self, order: &[&str]) -> Vec<(String, String, Option<[Value; 2]>)> {
        let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["check", "--json", "--no-save", "--quiet", "--no-por"])
            .args(&self.arguments)
            .args(order)
            .arg(self.file)
            .output()
            .expect("lariat can be started");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{}: {error}: {}", self.file.display(), String::from_utf8_lossy(&output.stderr))
        });
        let properties = object["properties"].as_array().expect("properties");
        let temporal = properties.iter().filter(|property| property["kind"] != "safety");
        let answer = |property: &Value| {
            let verdict = property["verdict"].as_str().expect("a verdict").to_owned();
            let statistics = &property["statistics"];
            let counts = ["states", "transitions"].map(|name| statistics[name].clone());
            let name = property["name"].as_str().expect("a name").to_owned();
            (name, verdict.clone(), property["run"].is_null().then_some(counts))
        };
        temporal.map(answer).collect()
    }
}

fn written(name: &str, size: u32, late: u32) -> PathBuf {
    let file = std::env::temp_dir().join(format!("lariat-{}-{name}.pml", std::process::id()));
    let model = MODEL.replace("SIZE", &size.to_string()).replace("LATE", &late.to_string());
    std::fs::write(&file, model).expect("a model can be written");
    file
}

fn formulas(size: u32, late: u32) -> Vec<String> {
    let formula = |text: &&str| {
        let text = text.replace("SIZE", &size.to_string()).replace("LATE", &late.to_string());
        ["--ltl".to_owned(), text]
    };
    FORMULAS.iter().flat_map(formula).collect()
}

#[test]
fn the_same_answers_with_and_without() {
    let file = written("sweep", 6, 5);
    for more in [&[][..], &["--interpret"], &["--system-store", "flat"], &["--fair", "weak"]] {
        let mut arguments = formulas(6, 5);
        arguments.extend(more.iter().map(|&argument| argument.to_owned()));
        let check = Check { file: &file, arguments };
        let (without, with) = (check.run(&["--dfs"]), check.run(&["--bfs"]));
        assert_eq!(without.len(), FORMULAS.len());
        assert_eq!(without, with, "{more:?}");
        let holds = without.iter().filter(|(_, verdict, _)| verdict == "holds").count();
        assert!((5..=15).contains(&holds), "{holds} hold");
    }
    std::fs::remove_file(&file).expect("the model can be removed");
}

#[test]
fn the_same_answers_about_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("examples") {
        let file = entry.expect("a file").path();
        if file.extension().is_some_and(|extension| extension == "pml" || extension == "dve") {
            let check = Check { file: &file, arguments: Vec::new() };
            let with = check.run(&["--bfs"]);
            assert_eq!(check.run(&["--dfs"]), with, "{}", file.display());
            compared += with.len();
        }
    }
    assert!(compared > 2, "{compared} properties");
}

/// Too many states for the search that goes depth first at the start.
#[test]
fn large_products_are_swept() {
    let file = written("swept", 250, 249);
    let text = |order: &[&str]| {
        let arguments: Vec<String> =
            ["--ltl", "[]<> (b < 250)", "--ltl", "[] (a != 200 || b != 7)", "--ltl", "[]<> done"]
                .map(str::to_owned)
                .to_vec();
        Check { file: &file, arguments }.run(order)
    };
    let both = text(&[]);
    assert_eq!(both, text(&["--dfs"]));
    assert_eq!(both, text(&["--interpret"]));
    let verdicts: Vec<&str> = both.iter().map(|(_, verdict, _)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds", "violated", "violated"]);
    let states = both[0].2.as_ref().and_then(|[states, _]| states.as_u64());
    assert!(states > Some(100_000), "{states:?}");
    std::fs::remove_file(&file).expect("the model can be removed");
}
