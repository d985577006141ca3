//! Models that must be refused, each with a message at the right place.

use lariat_model::promela::{Failure, PromelaOptions, load_text};

/// `«` and `»` around the place where the message must point; the message must contain `says`.
fn refused(marked: &str, says: &str) {
    let start = marked.find('«').expect("a mark");
    let text = marked.replacen('«', "", 1).replacen('»', "", 1);
    let Err(Failure { sources, diagnostics }) =
        load_text("m.pml", &text, &PromelaOptions::default())
    else {
        panic!("accepted: {text}");
    };
    let error = diagnostics
        .iter()
        .find(|d| d.is_error() && d.message.contains(says))
        .unwrap_or_else(|| panic!("no error with `{says}`: {diagnostics:?}\n{text}"));
    let place = sources.location(error.primary.span).expect("a place");
    let line = text[..start].matches('\n').count() as u32 + 1;
    let column = text[..start].rsplit('\n').next().unwrap().chars().count() as u32 + 1;
    assert_eq!((place.line, place.column), (line, column), "{}: {text}", error.message);
}

#[test]
fn names() {
    refused("init { «x» = 1 }", "undeclared variable `x`");
    refused("byte x;\ninit { byte «x»; x = 1 }", "declared already");
    refused("init { byte x; { byte «x»; skip } }", "declared already");
    refused("init { { byte x; x = 1 }; «x» = 2 }", "undeclared variable");
    refused("init { if :: byte x = 2 :: byte «x» = 3 fi }", "declared already");
    refused("init { run «P»() }", "undeclared proctype `P`");
    refused("chan c = [1] of { «foo» };\ninit { skip }", "");
    refused("proctype P() { skip }\nproctype «P»() { skip }\ninit { run P() }", "twice");
    refused("mtype = { a, «a» };\ninit { skip }", "twice");
    refused("typedef T { byte a; byte «a» };\ninit { skip }", "twice");
    refused("typedef T { byte a };\nT t;\ninit { t.«b» = 1 }", "no field `b`");
    refused("byte t;\ninit { t.«b» = 1 }", "no typedef");
    refused("mtype = { a };\nbyte «a»;\ninit { skip }", "");
    refused("byte P;\nproctype «P»() { skip }\ninit { run P() }", "variable");
    refused("proctype P() { skip }\nbyte «P»;\ninit { run P() }", "proctype");
    refused("byte a[3];\ninit { «a» = 1 }", "missing array index");
}

/// `--property` asks for a claim by its name, so Spin refuses two of one name, and so do we.
#[test]
fn claims_of_one_name() {
    refused("bool b;\nltl p { []b }\nltl «p» { <>b }\ninit { b = 1 }", "twice");
    refused("bool b;\nnever p { do :: b od }\nltl «p» { <>b }\ninit { b = 1 }", "twice");
    refused("bool b;\nnever p { do :: b od }\nnever «p» { do :: b od }\ninit { b = 1 }", "twice");
    refused(
        "bool b;\nltl ltl_0 { []b }\nltl { «<>b» }\ninit { b = 1 }",
        "`ltl_0` is defined twice",
    );
    let trace = "trace { do :: c!1 od }";
    refused(&format!("chan c = [1] of {{ bit }};\n{trace}\n«{trace}»\ninit {{ c!1 }}"), "second");
    let first = "bool b;\nltl p { []b }\nltl p { <>b }\ninit { b = 1 }";
    let Err(failure) = load_text("m.pml", first, &PromelaOptions::default()) else {
        panic!("accepted")
    };
    let note = &failure.diagnostics[0].secondary[0];
    assert_eq!(failure.sources.location(note.span).unwrap().line, 2, "points at the first, too");
}

#[test]
fn claims_without_a_name_have_names_of_their_own() {
    let text = "bool b;\nltl p { []b }\nltl { <>b }\nltl { []<>b }\nnever { do :: b od }\n\
        never q { do :: b od }\nnever { do :: !b od }\ninit { b = 1 }";
    let model = load_text("m.pml", text, &PromelaOptions::default()).unwrap().model;
    let formulas: Vec<_> = model.ltl.iter().map(|ltl| ltl.name.as_str()).collect();
    assert_eq!(formulas, ["p", "ltl_0", "ltl_1"]);
    let claims: Vec<_> = model.claims.iter().map(|&id| model.proctype(id).name.as_str()).collect();
    assert_eq!(claims, ["never_0", "q", "never_2"]);
}

/// Spin's lexer drops separators before a `}`.
#[test]
fn an_ltl_block_may_end_in_semicolons() {
    for block in ["[] b", "[] b;", "[] b;;", "[] b ; ; /* c */ ;\n"] {
        let text = format!("bool b;\nltl p {{ {block} }}\ninit {{ b = 1 }}");
        let model = load_text("m.pml", &text, &PromelaOptions::default()).unwrap().model;
        assert_eq!(model.ltl[0].text.trim(), "[] b", "{block}");
    }
    refused("bool b;\nltl p «{» ; }\ninit { b = 1 }", "no formula");
}

/// What is too much is said, never cut off: the last line must be seen.
#[test]
fn large_models_are_read_to_their_end() {
    let last = "\nactive proctype last() { assert(false) }";
    let read = |text: &str| {
        let model = load_text("m.pml", text, &PromelaOptions::default());
        let model = model.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).model;
        model.initial_processes.len()
    };
    assert_eq!(read(&format!("init {{ skip }}{}{last}", ";".repeat(1_000_001))), 2);
    let many: String = (0..50_000).map(|at| format!("byte v{at};\n")).collect();
    assert_eq!(read(&format!("{many}init {{ skip }}{last}")), 2);
}

#[test]
fn what_is_too_large_is_refused() {
    let points = "x = 1; ".repeat(66_000);
    refused(&format!("byte x;\n«init {{ {points} skip }}»"), "more than 65534 control points");
    let deep = format!("{}1{}", "(".repeat(10_000), ")".repeat(10_000));
    let text = format!("byte x;\ninit {{ x = {deep} }}");
    assert!(load_text("m.pml", &text, &PromelaOptions::default()).is_err());
    let jumps: String = (0..600).map(|at| format!("L{at}: goto L{}; ", at + 1)).collect();
    let text = format!("init {{ {jumps} L600: skip }}");
    assert!(load_text("m.pml", &text, &PromelaOptions::default()).is_err());
    // Typedefs of typedefs, the third of which is too large: those behind it have no fields.
    let nested: String =
        (1..20).map(|at| format!("typedef T{at} {{ T{} a[100] }};\n", at - 1)).collect();
    let text = format!("typedef T0 {{ int a[100] }};\n{nested}T19 t;\ninit {{ skip }}");
    assert!(load_text("m.pml", &text, &PromelaOptions::default()).is_err());
}

#[test]
fn types_and_constants() {
    refused("byte n; byte a[«n + 1»];\ninit { skip }", "constant");
    refused("byte a[«0»];\ninit { skip }", "range");
    refused("unsigned x : «40»;\ninit { skip }", "width");
    refused("chan c = [«300»] of { byte };\ninit { skip }", "capacity");
    refused("typedef T { byte a };\nT t, u;\ninit { «t» = u }", "typedef `T`");
    refused("mtype = { a };\nmtype:q = { r };\nbyte x;\ninit { x = «r» }", "belongs to `mtype:q`");
    refused("byte «a[2] = { 1, 2, 3 }»;\ninit { skip }", "3 values");
    refused("init { «_pid» = 3 }", "cannot be assigned");
}

#[test]
fn communication() {
    refused("chan c = [1] of { byte };\ninit { «c!1,2» }", "2 fields");
    refused("chan c;\ninit { «c!1» }", "1 fields");
    refused("chan c = [1] of { byte, byte };\nbyte x;\ninit { c?x,«x» }", "two fields");
    refused("proctype P(byte a) { skip }\ninit { «run P()» }", "0 arguments for 1 parameters");
    refused("init { skip; chan «c = [1] of { byte }»; c!1 }", "head of the body");
}

#[test]
fn control_flow() {
    refused("init { goto «L» }", "undefined label `L`");
    refused("init { L: «goto L» }", "leads to itself");
    refused("init { «break» }", "outside of a loop");
    refused("byte x;\ninit { L: x = 1; «L»: x = 2 }", "stands twice");
    refused("byte x;\ninit { atomic { «L»: x = 1 }; goto L }", "placed incorrectly");
    refused("byte x;\ninit { d_step { x = 1; «goto L» }; L: x = 3 }", "out of a d_step");
    refused("byte x;\ninit { «goto L»; d_step { x = 1; L: x = 2 } }", "into a d_step");
    refused("init { if :: else :: «else» fi }", "second `else`");
    refused("init { do :: «skip» od }", "self-loop");
    refused("byte i;\ninit { for (i : «3 .. 1») { skip } }", "empty");
    refused("proctype P() { skip }\ninit { d_step { «run P()» } }", "d_step");
}

#[test]
fn embedded_c_is_refused_with_advice() {
    refused("init { «c_code { x = 1; }» }", "embedded C");
    refused("«c_decl { int x; }»\ninit { skip }", "embedded C");
}

#[test]
fn several_errors_in_one_run() {
    let Err(failure) =
        load_text("m.pml", "init { x = 1; y = 2; goto L }", &PromelaOptions::default())
    else {
        panic!("accepted");
    };
    assert!(failure.diagnostics.iter().filter(|d| d.is_error()).count() >= 3);
}

/// A name that is not known is said once, with one that may have been meant.
#[test]
fn misspelt_names() {
    let help = |text: &str| {
        let Err(failure) = load_text("m.pml", text, &PromelaOptions::default()) else {
            panic!("{text}")
        };
        assert_eq!(failure.diagnostics.len(), 1, "{text}: {:?}", failure.diagnostics);
        format!("{:?}", failure.diagnostics[0].remarks)
    };
    assert!(help("byte counter; init { conter = 1; conter = 2 }").contains("`counter`"));
    assert!(help("bool b = True; init { skip }").contains("`true`"));
    assert!(help("bool b; init { b = FALSE }").contains("`false`"));
    assert!(help("mtype = { red }; mtype m; init { m = rde }").contains("`red`"));
    assert!(help("byte x; init { if :: x == 1 -> skip :: els -> skip fi }").contains("`else`"));
    assert_eq!(help("byte x; init { y = 1 }"), "[]");
}

/// What Spin's own warnings leave out: initialisers, and jumps past the start of a `for`.
#[test]
fn values_and_jumps_are_warned_about() {
    let warnings = |text: &str| {
        let loaded = load_text("m.pml", text, &PromelaOptions::default()).expect(text);
        loaded.warnings.iter().map(|warning| warning.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(warnings("byte a = 300; init { skip }"), ["300 does not fit: 44 is stored"]);
    assert_eq!(warnings("init { byte a = -1; skip }"), ["-1 does not fit: 255 is stored"]);
    assert_eq!(warnings("init { skip; bit b = 2 }"), ["2 does not fit: 0 is stored"]);
    assert_eq!(
        warnings("byte a[2] = { 1, 256 }; init { skip }"),
        ["256 does not fit: 0 is stored"]
    );
    let jump = "a jump to `L` enters the `for` without setting `i`";
    assert_eq!(warnings("byte i; init { goto L; L: for (i : 1 .. 2) { skip } }"), [jump]);
    let none: [&str; 0] = [];
    assert_eq!(warnings("byte i = 255; init { L: for (i : 1 .. 2) { skip } }"), none);
    assert_eq!(warnings("byte i; init { goto L; L: skip; for (i : 1 .. 2) { skip } }"), none);
}
