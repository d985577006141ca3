//! `lariat report`: one page with all verdicts, which needs nothing else.

use std::process::Command;

#[test]
fn the_page_has_all_verdicts_and_runs() {
    let folder = std::env::temp_dir().join(format!("lariat-report-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, bad) = (folder.join("report.html"), folder.join("bad<b>.pml"));
    std::fs::write(&bad, "byte n = ;").expect("to write");
    let models = ["../../examples/spinlock.pml", "../../examples/peterson.dve"];
    let report = |more: &[&std::path::Path]| {
        Command::new(env!("CARGO_BIN_EXE_lariat"))
            .arg("report")
            .args(models)
            .args(more)
            .arg("--html")
            .arg(&file)
            .output()
            .expect("lariat")
    };
    let output = report(&[]);
    assert_eq!(output.status.code(), Some(1), "one property is violated: {output:?}");
    let page = std::fs::read_to_string(&file).expect("the page");
    for part in [
        "spinlock.pml",
        "peterson.dve",
        ">exclusion<",
        ">served<",
        "class=\"violated\"",
        "class=\"holds\"",
        "<svg",
        "served: counterexample",
        "Statements never executed",
        "[] (inside &lt;= 1)",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Nothing is loaded from elsewhere, and nothing runs.
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for part in ["http:", "https:", "<script", "src=", "@import", "url(\"", "<link"] {
        assert!(!without_names.contains(part), "{part}");
    }
    // What cannot be read is in the page, as text.
    let output = report(&[&bad]);
    assert_eq!(output.status.code(), Some(2));
    let page = std::fs::read_to_string(&file).expect("the page");
    assert!(page.contains("bad&lt;b&gt;.pml") && !page.contains("bad<b>.pml"));
    assert!(page.contains(">served<"), "the others are there as before");
    let _ = std::fs::remove_dir_all(&folder);
}

/// Questions of one's own, as `check` takes them.
#[test]
fn the_page_answers_more() {
    let file = std::env::temp_dir().join(format!("lariat-report-more-{}.html", std::process::id()));
    let report = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["report", "../../examples/spinlock.pml", "--html"])
            .arg(&file)
            .args(more)
            .output()
            .expect("lariat");
        (output.status.code(), std::fs::read_to_string(&file).unwrap_or_default())
    };
    let served = "[] (Process[0]@waiting -> <> Process[0]@critical)";
    let (code, page) = report(&[
        "--ltl",
        "<> (inside == 2)",
        "--exists",
        "<> locked",
        "--invariant",
        "inside < 2",
        "--reach",
        "inside == 1",
    ]);
    assert_eq!(code, Some(1));
    for part in ["&lt;&gt; (inside == 2)", "&lt;&gt; locked", "inside &lt; 2", "inside == 1"] {
        assert!(page.contains(part), "{part}");
    }
    // On fair runs, all of it holds.
    let (code, page) = report(&["--ltl", served, "--fair", "strong"]);
    assert_eq!(code, Some(0), "{page}");
    let (code, page) = report(&["--ltl", "<> (insode == 2)"]);
    assert_eq!(code, Some(2));
    assert!(page.contains("insode"), "the page says what cannot be asked");
    let _ = std::fs::remove_file(&file);
}
