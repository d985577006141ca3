//! Models that can be read but mean nothing: names, types, ranges. Every message has a place.

use lariat_model::dve::{self, DveOptions};

/// `line:column message`, one line each.
fn messages(text: &str) -> String {
    match dve::load_text("m.dve", text, DveOptions { property: true }) {
        Ok(_) => "accepted\n".into(),
        Err(failure) => {
            let lines = failure.diagnostics.iter().map(|error| {
                let place = failure.sources.location(error.primary.span).expect("a place");
                format!("{}:{} {}\n", place.line, place.column, error.message)
            });
            lines.collect()
        }
    }
}

#[test]
fn declarations() {
    let process = "process P { state a; init a; }\nsystem async;";
    let cases = [
        ("byte x; byte x;", "1:14 `x` is declared twice"),
        ("channel c; channel c;", "1:20 `c` is declared twice"),
        ("byte x = 300;", "1:10 300 does not fit in a `byte` (0..255)"),
        ("byte x = -1;", "1:10 -1 does not fit in a `byte` (0..255)"),
        ("int x = 70000;", "1:9 70000 does not fit in a `int` (-32768..32767)"),
        ("const byte K = 256;", "1:16 256 does not fit in a `byte` (0..255)"),
        ("byte b = a; byte a;", "1:10 there is no variable `a`"),
        ("byte a[0];", "1:8 an array has between 1 and 1048576 elements"),
        ("byte a; byte b = a[0];", "1:18 `a` is no array"),
        ("byte a[2]; byte b = a[2];", "1:23 index 2 is out of range: the array has 2 elements"),
        ("byte a = 1 / 0;", "1:10 division by zero"),
        ("byte a = P.a;", "1:10 an initialiser cannot refer to a process"),
        ("channel {byte} c[256];", "1:18 a channel holds at most 255 messages"),
    ];
    for (text, expected) in cases {
        assert_eq!(messages(&format!("{text}\n{process}")), format!("{expected}\n"), "{text}");
    }
}

#[test]
fn processes() {
    let cases = [
        ("process P { state a, a; init a; }", "1:22 state `a` is declared twice"),
        ("process P { state a; init b; }", "1:27 process `P` has no state `b`"),
        ("process P { state a; init a; commit b; }", "1:37 process `P` has no state `b`"),
        ("process P { state a; init a; accept b; }", "1:37 process `P` has no state `b`"),
        ("process P { state a; init a; assert b: 1; }", "1:37 process `P` has no state `b`"),
        (
            "process P { state a; init a; }\nprocess P { state a; init a; }",
            "2:9 `P` is declared twice",
        ),
        ("process P { byte x, x; state a; init a; }", "1:21 `x` is declared twice"),
    ];
    for (text, expected) in cases {
        let text = format!("{text}\nsystem async;");
        assert_eq!(messages(&text), format!("{expected}\n"), "{text}");
    }
}

/// The property is taken out of the list of processes before these are declared.
#[test]
fn the_property_is_one_process() {
    let twice = "process P { state a; init a; accept a; }\n\
        process P { state b; init b; accept b; }\n";
    let text = format!("{twice}system async property P;");
    assert_eq!(messages(&text), "2:9 `P` is declared twice\n");
}

/// BEEM's anderson has one; DiVinE ignores it.
#[test]
fn a_surplus_initialiser_is_ignored_with_a_warning() {
    let text = "byte a[2] = {1, 2, 3};\nprocess P { state s; init s; assert s: a[1] == 2; }\n\
        system async;";
    let loaded = dve::load_text("m.dve", text, DveOptions { property: true }).unwrap();
    let [warning] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert_eq!(warning.message, "3 values for 2 elements");
    let place = loaded.model.sources.location(warning.primary.span).unwrap();
    assert_eq!((place.line, place.column), (1, 13));
    let initial = lariat_model::interp::Interp::new(&loaded.model).initial().unwrap().0;
    assert_eq!(initial[4..6], [1, 2]);
}

#[test]
fn transitions() {
    let cases = [
        ("guard y == 1;", "4:2 there is no variable `y`", 7),
        ("guard c == 1;", "4:2 there is no variable `c`", 7),
        ("guard x[0] == 1;", "4:2 `x` is no array", 7),
        ("guard P.v == 1;", "4:2 process `P` has no state `v`", 9),
        ("guard P->a == 1;", "4:2 process `P` has no variable `a`", 10),
        ("guard R.a;", "4:2 there is no process `R`", 7),
        ("sync d!;", "4:2 there is no channel `d`", 6),
        ("sync c!{1, 2};", "4:2 `c` is used with 2 values, elsewhere with 1", 6),
        ("sync q!{1, 2};", "4:2 `q` carries 1 values, not 2", 6),
        ("effect K = 1;", "4:2 a constant cannot be changed", 8),
        ("effect y = 1;", "4:2 there is no variable `y`", 8),
        ("effect x = t[y];", "4:2 there is no variable `y`", 14),
    ];
    for (body, expected, column) in cases {
        let text = format!(
            "byte x, t[2]; const byte K = 2; channel c; channel {{byte}} q[1];\n\
             process P {{ byte v; state a; init a; trans a -> a {{ sync c!1; }}; }}\n\
             process Q {{ state a; init a; trans a -> a {{\n {body}\n}}; }}\nsystem async;"
        );
        let expected = expected.replacen("4:2", &format!("4:{}", column + 1), 1);
        assert_eq!(messages(&text), format!("{expected}\n"), "{body}");
    }
}

#[test]
fn system_lines() {
    let cases = [
        (
            "process P { state a; init a; }\nsystem async property N;",
            "2:23 there is no process `N`",
        ),
        (
            "process N { state a; init a; }\nsystem async property N;",
            "1:9 a property process needs accepting states",
        ),
        (
            "channel c; process N { state a; init a; accept a; trans a -> a { sync c!; }; }\n\
             system async property N;",
            "1:71 a property process cannot communicate",
        ),
        (
            "channel c; process P { state a; init a; trans a -> a { sync c!; }; }\nsystem sync;",
            "1:61 no communication in a `system sync`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(messages(text), format!("{expected}\n"), "{text}");
    }
}

#[test]
fn several_errors_in_one_run() {
    let text =
        "byte x = 256;\nprocess P { state a; init b; trans a -> c { guard y; }; }\nsystem async;";
    let expected = "1:10 256 does not fit in a `byte` (0..255)\n\
                    2:27 process `P` has no state `b`\n\
                    2:41 process `P` has no state `c`\n\
                    2:51 there is no variable `y`\n";
    assert_eq!(messages(text), expected);
}

/// A property process that watches from outside is an automaton over the system's states.
#[test]
fn claims() {
    let cases = [
        ("byte k;", "", "", "2:13 a property process with variables"),
        ("", "commit q;", "", "2:37 a property process with a committed state"),
        ("", "", "effect g = 1;", "2:62 a property process that assigns to variables"),
        ("", "", "guard N.q;", "2:61 `N` is the property and no process of the system"),
    ];
    for (vars, marks, body, expected) in cases {
        let text = format!(
            "byte g; process P {{ state a; init a; trans a -> a {{}}; }}\n\
             process N {{ {vars}state q; init q; {marks}accept q; trans q -> q {{ {body} }}; }}\n\
             system async property N;"
        );
        assert!(dve::load_text("m.dve", &text, DveOptions { property: true }).is_ok(), "{text}");
        let failure = dve::load_text("m.dve", &text, DveOptions { property: false }).unwrap_err();
        let error = &failure.diagnostics[0];
        let place = failure.sources.location(error.primary.span).unwrap();
        let found = format!("{}:{} {}", place.line, place.column, error.message);
        assert_eq!(found, expected, "{text}");
    }
}
