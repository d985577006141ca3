//! What the tree says of inlines, macros, selects, formulas and places.

use lariat_syntax::diagnostics::{SourceMap, Span};
use lariat_syntax::promela::ast::*;
use lariat_syntax::promela::{CppOptions, parse};

fn read(text: &str) -> (SourceMap, Program) {
    let mut sources = SourceMap::new();
    let root = sources.add("m.pml", text);
    let parsed = parse(&mut sources, root, &CppOptions::default());
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    (sources, program)
}

fn init(program: &Program) -> &[Stmt] {
    let find = |item: &'_ Item| matches!(item.kind, ItemKind::Init(_));
    match &program.items[program.items.iter().position(find).expect("an init")].kind {
        ItemKind::Init(init) => &init.body.stmts,
        _ => unreachable!(),
    }
}

fn place(sources: &SourceMap, span: Span) -> String {
    let location = sources.location(span).expect("a place");
    format!("{}:{} {}", location.line, location.column, sources.text(span))
}

#[test]
fn statements_of_an_inline_know_definition_and_call() {
    let text = "#define SET(v, n) v = n\ninline f(a) {\n  SET(a, 2);\n  a++\n}\ninit {\n  f(x);\n  f(y[3])\n}\nbyte x, y[4];\n";
    let (sources, program) = read(text);
    let mut seen = Vec::new();
    for stmt in init(&program) {
        let StmtKind::Inline(call) = &stmt.kind else { panic!("{stmt:?}") };
        assert_eq!(&*call.name.text, "f");
        seen.push(place(&sources, stmt.span));
        for inner in &call.body.stmts {
            seen.push(place(&sources, sources.outside_macros(inner.span)));
            seen.push(place(&sources, sources.call_site(inner.span)));
        }
    }
    assert_eq!(
        seen,
        [
            "7:3 f(x)",
            "3:3 SET(a, 2)",
            "7:3 f(x)",
            "4:3 a++",
            "7:3 f(x)",
            "8:3 f(y[3])",
            "3:3 SET(a, 2)",
            "8:3 f(y[3])",
            "4:3 a++",
            "8:3 f(y[3])",
        ]
    );
}

#[test]
fn arguments_are_put_in_by_name() {
    let text = "inline g(b) { b = b + 1 }\ninline f(a) { g(a); x = a * 2 }\nbyte x, y;\ninit { f(y + 1 - 1) }";
    // `b = b + 1` with `y + 1 - 1` for b is no statement, which shows the substitution.
    let mut sources = SourceMap::new();
    let root = sources.add("m.pml", text);
    assert!(parse(&mut sources, root, &CppOptions::default()).program.is_none());
    let (_, program) = read(&text.replace("y + 1 - 1", "y"));
    let printed = lariat_syntax::promela::print(&program);
    assert!(printed.contains("y = y + 1;") && printed.contains("x = y * 2;"), "{printed}");
}

#[test]
fn select_says_which_expansion_spin_takes() {
    let text = "#define N 4\nbyte i, i_i, n;\ninline f() { select (i : 2 .. 4) }\ninit {\n select (i : 2 .. N);\n select(i:0..32); select (i : 0 .. 33); select (i_i : 2 .. 4);\n select (i : 2 .. n); select (i\n : 1 .. 2); f()\n}";
    let (_, program) = read(text);
    let mut flags = Vec::new();
    for stmt in init(&program) {
        match &stmt.kind {
            StmtKind::Select(select) => flags.push(select.as_choice),
            StmtKind::Inline(call) => match &call.body.stmts[0].kind {
                StmtKind::Select(select) => flags.push(select.as_choice),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(flags, [true, true, false, false, false, false, false]);
}

#[test]
fn newlines_separate_only_where_spin_says() {
    let text = "byte x\nbyte y\ninit {\n x = 1\n y = (x +\n  1)\n if\n :: x == 1\n    y = 2\n :: else\n fi\n x++\n atomic { skip\n } y = 3\n {skip}\n unless {y == 1}\n L:\n x = 2\n}";
    let (_, program) = read(text);
    let kinds: Vec<&str> = init(&program)
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Assign { .. } => "assign",
            StmtKind::If(_) => "if",
            StmtKind::Increment(_) => "increment",
            StmtKind::Atomic(_) => "atomic",
            StmtKind::Unless { .. } => "unless",
            _ => "other",
        })
        .collect();
    assert_eq!(
        kinds,
        ["assign", "assign", "if", "increment", "atomic", "assign", "unless", "assign"]
    );
    assert_eq!(&*init(&program)[7].labels[0].text, "L");
}

#[test]
fn formulas_keep_their_origins() {
    let text = "#define p (x == 1)\nbyte x;\nltl live {\n  [] (p -> <> !p)\n}\nactive proctype P() { skip }";
    let (sources, program) = read(text);
    let ltl = program.items.iter().find_map(|item| match &item.kind {
        ItemKind::Ltl(ltl) => Some(ltl),
        _ => None,
    });
    let ltl = ltl.expect("an ltl block");
    assert_eq!(ltl.text.trim(), "[] ((x == 1) -> <> !(x == 1))");
    let at = ltl.text.find("==").expect("an operator");
    let origin = ltl.origins.iter().find(|&&(start, _)| start as usize == at);
    let origin = origin.expect("a token").1;
    assert_eq!(place(&sources, origin), "1:14 ==");
    assert_eq!(place(&sources, sources.call_site(origin)), "4:7 p");
    assert_eq!(place(&sources, ltl.formula), "4:3 [] (p -> <> !p)");
}

#[test]
fn embedded_c_is_kept_with_its_place() {
    let text = "c_decl { int q; }\nc_state \"int z\" \"Global\"\ninit {\n  c_code { now.x = 4; if (1) { q++; } };\n  c_expr { q == 1 } -> skip\n}";
    let (sources, program) = read(text);
    let ItemKind::EmbeddedC(decl) = &program.items[0].kind else { panic!() };
    assert_eq!((decl.kind, &*decl.text), (EmbeddedCKind::Decl, " int q; "));
    let StmtKind::EmbeddedC(code) = &init(&program)[0].kind else { panic!() };
    assert_eq!(&*code.text, " now.x = 4; if (1) { q++; } ");
    assert!(place(&sources, code.span).starts_with("4:3 c_code {"));
    let StmtKind::Expr(Expr { kind: ExprKind::EmbeddedC(_), .. }) = &init(&program)[1].kind else {
        panic!()
    };
}
