//! The command line of a model.

use crate::support::Graph;
use lariat::Check;

fn command(args: &[&str]) -> (String, u8) {
    let graph = Graph::new(0, &[(0, 1), (1, 2), (2, 0)]);
    let check = Check::of(&graph)
        .always("small", |&s| s < 2)
        .reachable("one", |&s| s == 1)
        .eventually("\"two\"", |&s| s == 2);
    check.command_with(args.iter().copied())
}

#[test]
fn check_count_simulate() {
    let (text, code) = command(&[]);
    assert_eq!((code, &text), (1, &command(&["check"]).0));
    assert!(
        text.starts_with("small: VIOLATED") && text.contains("one: reached in 1 step\n"),
        "{text}"
    );
    assert_eq!(command(&["count"]), ("3 states, 3 steps, depth 2\n".to_owned(), 0));
    let (text, code) = command(&["simulate", "--runs", "3", "--length", "1", "--seed", "7"]);
    assert!(code == 3 && text.contains("3 random runs"), "{text}");
    assert_eq!(command(&["count", "--max-states", "2"]).1, 0);
    assert_eq!(command(&["--help"]).1, 0);
}

#[test]
fn as_json() {
    let expected = r#"{
  "answers": [
    {"name": "small", "verdict": "violated", "states": ["0", "1", "2"], "actions": ["0", "1"]},
    {"name": "one", "verdict": "reached", "states": ["0", "1"], "actions": ["0"]},
    {"name": "\"two\"", "verdict": "holds"}
  ],
  "fair": [],
  "states": 3,
  "transitions": 3,
  "depth": 2,
  "ends": 0,
  "beyond": 0,
  "product_states": 3,
  "exit_code": 1
}
"#;
    let (text, code) = command(&["check", "--json"]);
    assert_eq!(code, 1);
    let without = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.contains("product")).map(str::to_owned).collect()
    };
    assert_eq!(without(&text), without(expected));
}

#[test]
fn bad_usage() {
    for (args, why) in [
        (&["check", "count"][..], "\"count\" is not understood"),
        (&["--max-states"], "--max-states needs a number"),
        (&["--max-states", "many"], "needs a number, not \"many\""),
        (&["--time-limit", "-1"], "--time-limit"),
        (&["--seed", "1"], "--seed is for `simulate`"),
        (&["--jsn"], "not understood"),
        (&["--port", "80"], "--port is for `explore`"),
        (&["explore", "--port", "many"], "needs a number, not \"many\""),
    ] {
        let (text, code) = command(args);
        assert!(code == 2 && text.starts_with("error: ") && text.contains(why), "{text}");
    }
}
