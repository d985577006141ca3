//! Every Promela file of the facts and the corpus: what Spin accepts is parsed, and the files
//! where lariat and Spin disagree are listed with the reason.

use std::path::{Path, PathBuf};

use lariat_syntax::diagnostics::{SourceMap, render};
use lariat_syntax::promela::ast::{ItemKind, Program, Stmt, StmtKind};
use lariat_syntax::promela::{CppOptions, load, parse as parse_text, print};
use lariat_testing::table::Table;
use lariat_testing::{corpus, facts, files, repository};

/// Path below the corpus and whether Spin accepts the file.
fn listed() -> Vec<(String, bool)> {
    let table = Table::read(&corpus().join("spin_ref.csv")).unwrap();
    let rows = table.rows().filter(|row| row.get("mode") == "parse");
    rows.map(|row| (row.get("path").to_string(), row.get("spin_a_ok") == "1")).collect()
}

fn parse(path: &Path) -> (bool, String) {
    let mut sources = SourceMap::new();
    let parsed = load(&mut sources, path, &CppOptions::default());
    let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let text = errors.map(|error| render(&sources, error, false)).collect();
    (parsed.program.is_some(), text)
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn corpus_agrees_with_spin() {
    let mut refused = Vec::new();
    let mut accepted = Vec::new();
    for (path, spin_accepts) in listed() {
        let (ok, messages) = parse(&corpus().join(&path));
        if spin_accepts && !ok {
            println!("Spin accepts, lariat refuses: {path}\n{messages}");
            refused.push(path);
        } else if !spin_accepts && ok {
            println!("Spin refuses, lariat parses: {path}");
            accepted.push(path);
        }
    }
    println!("{} refused, {} accepted", refused.len(), accepted.len());
    assert_eq!(refused, Vec::<String>::new());
    let known =
        include_str!("../promela_spin_refuses.txt").lines().filter(|line| !line.starts_with('#'));
    let known: Vec<&str> =
        known.filter_map(|line| line.split_once(": ")).map(|(path, _)| path).collect();
    assert_eq!(accepted, known);
}

/// Inline calls become the blocks that they are printed as.
fn without_inlines(stmts: &mut [Stmt]) {
    for stmt in stmts {
        if let StmtKind::Inline(call) = &stmt.kind {
            stmt.kind = StmtKind::Block(call.body.clone());
        }
        match &mut stmt.kind {
            StmtKind::Unless { main, escape } => {
                without_inlines(std::slice::from_mut(main));
                without_inlines(std::slice::from_mut(escape));
            }
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                choices.iter_mut().for_each(|choice| without_inlines(&mut choice.stmts));
            }
            StmtKind::For(each) => without_inlines(&mut each.body.stmts),
            StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
                without_inlines(&mut block.stmts);
            }
            _ => {}
        }
    }
}

/// A text of the tree that says nothing of spans and inlines.
fn shape(mut program: Program) -> String {
    program.items.retain(|item| !matches!(item.kind, ItemKind::Inline(_)));
    for item in &mut program.items {
        match &mut item.kind {
            ItemKind::Proctype(proctype) => without_inlines(&mut proctype.body.stmts),
            ItemKind::Init(init) => without_inlines(&mut init.body.stmts),
            ItemKind::Never(never) => without_inlines(&mut never.body.stmts),
            ItemKind::Trace(trace) => without_inlines(&mut trace.body.stmts),
            _ => {}
        }
    }
    without_spans(&format!("{program:?}"))
}

/// Drops what the debug form of a span looks like: `@12..34#5`.
fn without_spans(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        kept.push_str(&rest[..at]);
        rest = rest[at + 1..]
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '#'));
    }
    kept.push_str(rest);
    kept
}

#[test]
fn printed_models_parse_to_the_same_tree() {
    let mut paths = facts("promela", 278);
    paths.extend(files(&repository().join("examples"), &["pml"]));
    print_and_parse(paths, 260);
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn printed_corpus_parses_to_the_same_tree() {
    print_and_parse(listed().into_iter().map(|(path, _)| corpus().join(path)).collect(), 350);
}

fn print_and_parse(paths: Vec<PathBuf>, least: usize) {
    let mut compared = 0;
    for path in paths {
        let mut sources = SourceMap::new();
        let Some(program) = load(&mut sources, &path, &CppOptions::default()).program else {
            continue;
        };
        let text = print(&program);
        let mut sources = SourceMap::new();
        let root = sources.add("printed", &text);
        let again = parse_text(&mut sources, root, &CppOptions::default());
        let errors: String =
            again.diagnostics.iter().map(|error| render(&sources, error, false)).collect();
        let Some(again) = again.program else { panic!("{}:\n{errors}\n{text}", path.display()) };
        let (first, second) = (shape(program), shape(again));
        if first != second {
            let at = first.bytes().zip(second.bytes()).position(|(a, b)| a != b).unwrap_or(0);
            let around = |text: &str| {
                text.chars().skip(at.saturating_sub(200)).take(300).collect::<String>()
            };
            panic!("{}:\n{}\n-- became --\n{}", path.display(), around(&first), around(&second));
        }
        compared += 1;
    }
    println!("{compared} models printed and parsed back");
    assert!(compared >= least, "only {compared} models");
}

#[test]
fn facts_are_refused_where_spin_refuses() {
    let mut accepted = Vec::new();
    for path in facts("promela", 278) {
        let text = std::fs::read_to_string(&path).expect("a fact");
        let rejected = text.contains("/* expect: rejected */");
        let (ok, messages) = parse(&path);
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        if rejected && ok {
            accepted.push(name);
        } else {
            assert_eq!(ok, !rejected, "{name}:\n{messages}");
        }
    }
    // These are errors of names, types or jumps, which are found after parsing.
    let later = [
        "008-goto-loop",
        "049-dstep-goto-out",
        "050-dstep-goto-in",
        "086-recv-into-same",
        "088-chan-more-args",
        "104-uninit-send",
        "138-mtype-named",
        "166-local-chan-mid",
        "168-scope-sib-if",
        "169-scope-leak",
        "170-shadow-proctype",
        "172-scope-nested-local",
        "259-inline-local",
        "260-inline-local3",
    ];
    assert_eq!(accepted, later);
}
