//! Malformed models: each must give a located message that says what is wrong.

use lariat_syntax::diagnostics::{Diagnostic, SourceMap, render};
use lariat_syntax::promela::{CppOptions, parse};

fn messages(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let root = sources.add("m.pml", text);
    let parsed = parse(&mut sources, root, &CppOptions::default());
    assert_eq!(parsed.program.is_none(), parsed.diagnostics.iter().any(Diagnostic::is_error));
    parsed.diagnostics.iter().map(|diagnostic| render(&sources, diagnostic, false)).collect()
}

/// First line of the message and `line:column`.
fn summary(message: &str) -> (String, String) {
    let mut lines = message.lines();
    let title = lines.next().unwrap_or("").to_string();
    let place = lines.next().unwrap_or("").split("m.pml:").nth(1).unwrap_or("nowhere").to_string();
    (place, title)
}

const TABLE: &[(&str, &str, &str)] = &[
    ("init { }", "1:8", "error: expected a statement"),
    ("init { x = 1 x = 2 }", "1:14", "error: expected `;` or a newline before `x`"),
    ("init { do :: break od x = 3 }", "1:23", "error: expected `;` or a newline before `x`"),
    (
        "init { if :: x = 1 :: else fi x = 2 }",
        "1:31",
        "error: expected `;` or a newline before `x`",
    ),
    ("init { ; skip }", "1:8", "error: expected a statement, found `;`"),
    ("init { if :: ; skip fi }", "1:14", "error: expected a statement, found `;`"),
    ("init { if fi }", "1:11", "error: expected `::`, found `fi`"),
    ("init { if skip fi }", "1:11", "error: expected `::`, found `skip`"),
    ("init { do :: skip fi }", "1:19", "error: expected `::` or `od`, found `fi`"),
    ("init { skip", "1:12", "error: expected `}`, found the end of the model"),
    ("init skip", "1:6", "error: expected `{`, found `skip`"),
    ("init { skip }}", "1:14", "error: expected a declaration or a proctype, found `}`"),
    ("init { x = }", "1:12", "error: expected an expression, found `}`"),
    ("init { x = 1 + }", "1:16", "error: expected an expression, found `}`"),
    ("init { x = (1 + 2 }", "1:19", "error: expected `)`, found `}`"),
    ("init { x = 1 + * 2 }", "1:16", "error: expected an expression, found `*`"),
    ("init { x = 0x10 }", "1:13", "error: expected `;` or a newline before `x10`"),
    ("init { y = x++ }", "1:13", "error: `++` is a statement, not an expression"),
    ("init { x = !!1 }", "1:12", "error: `!!` is the sorted send, not a double negation"),
    ("init { x = --1 }", "1:12", "error: expected an expression, found `--`"),
    ("init { a[1 = 2 }", "1:12", "error: expected `]`, found `=`"),
    ("init { a.1 = 2 }", "1:10", "error: expected the name of a field, found `1`"),
    ("init { x = 1\n + 2 }", "2:2", "error: expected a statement, found `+`"),
    ("init { c?x + 1 }", "1:12", "error: expected `;` or a newline before `+`"),
    ("init { c?\n }", "2:2", "error: expected a variable, a constant, `_` or `eval(…)`, found `}`"),
    ("init { c!; skip }", "1:10", "error: expected an expression, found `;`"),
    ("init { c?[x; skip }", "1:12", "error: expected `]`, found `;`"),
    ("init { c?<x; skip }", "1:12", "error: expected `>`, found `;`"),
    ("init { c?eval x; skip }", "1:15", "error: expected `(`, found `x`"),
    (
        "init { !full(c) }",
        "1:9",
        "error: `full`, `empty`, `nfull` and `nempty` may only be combined by `&&` and `||`",
    ),
    (
        "init { x = full(c) + 1 }",
        "1:12",
        "error: `full`, `empty`, `nfull` and `nempty` may only be combined by `&&` and `||`",
    ),
    (
        "init { c!full(c) }",
        "1:10",
        "error: `full`, `empty`, `nfull` and `nempty` may only be combined by `&&` and `||`",
    ),
    (
        "init { x = (full(c) -> 1 : 2) }",
        "1:13",
        "error: `full`, `empty`, `nfull` and `nempty` may only be combined by `&&` and `||`",
    ),
    ("init { x = c?y }", "1:13", "error: a receive is a statement, not an expression"),
    ("init { x = (a -> b) }", "1:19", "error: expected `:`, found `)`"),
    ("init { STDIN?x }", "1:8", "error: STDIN cannot be read in a verification"),
    ("init { goto 5 }", "1:13", "error: expected a label, found `5`"),
    ("init { goto }", "1:13", "error: expected a label, found `}`"),
    ("init { atomic skip }", "1:15", "error: expected `{`, found `skip`"),
    ("init { atomic { L: x = 1 } }", "1:17", "error: label `L` is placed incorrectly"),
    ("init { { L: x = 1 } }", "1:10", "error: label `L` is placed incorrectly"),
    ("init { d_step { L: x = 1 } }", "1:17", "error: label `L` is placed incorrectly"),
    ("init { L: x = 1 unless x = 2 }", "1:8", "error: label `L` is placed incorrectly"),
    ("init { x = 1 unless L: x = 2 }", "1:21", "error: label `L` is placed incorrectly"),
    ("init { a unless b unless c }", "1:19", "error: expected `;`, found `unless`"),
    ("init { L: byte x; skip }", "1:11", "error: a label cannot stand before a declaration"),
    ("init { L: xr c; skip }", "1:11", "error: a label cannot stand before a declaration"),
    (
        "init { for (byte i : 1 .. 2) { skip } }",
        "1:13",
        "error: a `for` cannot declare its variable",
    ),
    ("init { for (i : 3 .. 1) { skip } }", "1:17", "error: the range of `i` is empty"),
    ("init { for (i : 1 .. 3) skip }", "1:25", "error: expected `{`, found `skip`"),
    ("init { for (i 1 .. 3) { skip } }", "1:15", "error: expected `:` or `in`, found `1`"),
    ("init { for (i : 1, 3) { skip } }", "1:18", "error: expected `..`, found `,`"),
    ("init { select (i : 4 .. 2) }", "1:20", "error: the range of `i` is empty"),
    ("init { select i }", "1:15", "error: expected `(`, found `i`"),
    ("init { run 5 }", "1:12", "error: expected the name of a proctype, found `5`"),
    ("init { run P }", "1:14", "error: expected `(`, found `}`"),
    ("init { P() }", "1:8", "error: `P` is not an inline that is defined before this line"),
    (
        "proctype P() { skip } init { P() }",
        "1:30",
        "error: `P` is not an inline that is defined before this line",
    ),
    ("init { printf(x) }", "1:15", "error: expected a string, found `x`"),
    ("init { printf(\"a\n\" }", "1:15", "error: expected a string, found an unclosed quote"),
    ("init { printf(\"a) }", "1:15", "error: expected a string, found an unclosed quote"),
    ("init { printm(1 + 2) }", "1:15", "error: printm takes one variable or constant"),
    (
        "init { mtype = { a, b }; skip }",
        "1:8",
        "error: mtype constants must be declared at the top level",
    ),
    ("init { return 3 }", "1:8", "error: `return` stands outside an inline"),
    ("init { assert }", "1:15", "error: expected an expression, found `}`"),
    ("init { set_priority(1) }", "1:22", "error: expected `,`, found `)`"),
    ("init { x = 'ab' }", "1:12", "error: expected an expression, found an unclosed quote"),
    ("init { x = $ }", "1:12", "error: expected an expression, found `$`"),
    ("init { x @ y; P@5 }", "1:17", "error: expected a label, found `5`"),
    ("byte select;", "1:6", "error: expected the name of a variable, found `select`"),
    ("byte x,;", "1:8", "error: expected the name of a variable, found `;`"),
    ("byte x byte", "1:12", "error: expected the name of a variable, found the end of the model"),
    ("byte 5;", "1:6", "error: expected the name of a variable, found `5`"),
    ("unsigned u[2] : 3;", "1:15", "error: expected a declaration or a proctype, found `:`"),
    ("byte a[n + 1];", "1:8", "error: this must be a constant"),
    ("byte a[3] = { 1, -2 };", "1:18", "error: expected a constant, found `-`"),
    ("chan c = [n] of { byte };", "1:11", "error: this must be a constant"),
    ("chan c = [1] of { foo };", "1:19", "error: expected a type, found `foo`"),
    ("chan c = [1] { byte };", "1:14", "error: expected `of`, found `{`"),
    (
        "chan a = [1] of { byte }, b = [1] of { byte };",
        "1:25",
        "error: expected a declaration or a proctype, found `,`",
    ),
    ("mtype = { };", "1:11", "error: expected the name of an mtype constant, found `}`"),
    ("mtype = { 1 };", "1:11", "error: expected the name of an mtype constant, found `1`"),
    ("hidden mtype = { a };", "1:1", "error: names of an mtype cannot be hidden or shown"),
    ("typedef T { };", "1:13", "error: expected a field declaration, found `}`"),
    ("typedef T { byte a byte b };", "1:20", "error: expected `;` or `}`, found `byte`"),
    ("typedef T { skip };", "1:13", "error: expected a field declaration, found `skip`"),
    ("typedef { byte a };", "1:9", "error: expected the name of the typedef, found `{`"),
    ("T t;", "1:1", "error: expected a declaration, found `T`"),
    ("proctype (byte a) { skip }", "1:10", "error: expected the name of the proctype, found `(`"),
    (
        "proctype P(byte a, byte b) { skip }",
        "1:20",
        "error: expected the name of a variable, found `byte`",
    ),
    ("proctype P(byte a; ) { skip }", "1:20", "error: expected a parameter declaration, found `)`"),
    ("proctype P(byte a = 1) { skip }", "1:17", "error: a parameter cannot have an initialiser"),
    ("proctype P(byte a[2]) { skip }", "1:17", "error: a parameter cannot be an array"),
    ("proctype P(hidden byte a) { skip }", "1:12", "error: a parameter cannot be hidden or shown"),
    ("proctype P() provided 1 { skip }", "1:23", "error: expected `(`, found `1`"),
    (
        "proctype P() provided (1) priority 2 { skip }",
        "1:27",
        "error: expected `{`, found `priority`",
    ),
    ("proctype P() { skip } proctype P() { skip }", "1:32", "error: proctype `P` is defined twice"),
    ("active [x+1] proctype P() { skip }", "1:9", "error: this must be a constant"),
    ("active byte x;", "1:8", "error: expected `proctype`, found `byte`"),
    ("init priority x { skip }", "1:15", "error: expected a number behind `priority`, found `x`"),
    ("never { }", "1:9", "error: expected a statement"),
    ("ltl p { }", "1:7", "error: this ltl block has no formula"),
    ("ltl p { [] x", "1:7", "error: this `{` is not closed"),
    ("inline f(a { a = 1 }", "1:12", "error: expected `)`, found `{`"),
    ("inline f(1) { skip }", "1:10", "error: expected the name of a parameter, found `1`"),
    ("inline f(a, a) { skip }", "1:13", "error: parameter `a` occurs twice"),
    ("inline f() { } init { f() }", "1:23", "error: expected a statement"),
    (
        "inline f(a) { a = 1 } init { f(x, y) }",
        "1:30",
        "error: inline `f` takes 1 argument(s) but is given 2",
    ),
    (
        "inline f(a) { a = 1 } init { f(\"s\") }",
        "1:32",
        "error: expected an expression, found `\"s\"`",
    ),
    ("inline f(a) { f(a) } init { f(x) }", "1:29", "error: inline `f` calls itself"),
    (
        "inline f(a, b) { a = b } init { f(b, x) }",
        "1:35",
        "error: the argument `b` is also a parameter of this inline",
    ),
    ("inline f() { L: skip } init { f() }", "1:31", "error: label `L` is placed incorrectly"),
    (
        "inline f(a) { return a } init { f(1) }",
        "1:33",
        "error: this inline returns a value that the call does not take",
    ),
    (
        "inline f(a) { return a } init { x = 1 + f(1) }",
        "1:41",
        "error: inline `f` cannot be used within an expression",
    ),
    ("inline f() { skip", "1:12", "error: this `{` is not closed"),
    ("c_code init { skip }", "1:1", "error: expected `{` and C code behind `c_code`"),
    ("skip", "1:1", "error: expected a declaration or a proctype, found `skip`"),
    ("5", "1:1", "error: expected a declaration or a proctype, found `5`"),
    ("c_state \"a\"", "1:12", "error: expected a string, found the end of the model"),
    ("/* open", "1:1", "error: comment is not closed"),
    ("#if 1", "1:1", "error: this conditional has no `#endif`"),
    ("#define f(x) x\ninit { f(1,2) }", "2:8", "error: macro `f` takes 1 argument but is given 2"),
    ("", "1:1", "error: the model is empty"),
    ("#define X 1\n/* nothing */\n", "3:1", "error: the model is empty"),
    ("#error stop", "1:1", "error: #error stop"),
];

#[test]
fn malformed_models_are_located() {
    let mut wrong = String::new();
    for &(text, place, title) in TABLE {
        let found = messages(text);
        let (at, what) = found
            .iter()
            .find(|message| message.starts_with("error"))
            .map(|message| summary(message))
            .unwrap_or_default();
        if at != place || what != title {
            wrong.push_str(&format!("    ({text:?}, {at:?}, {what:?}),\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(TABLE.len() >= 60);
}

#[test]
fn several_errors_in_one_run() {
    let text = "byte x\nactive proctype P() {\n  x = ;\n  if\n  :: x = 1 x = 2\n  :: goto\n  fi;\n  y[ = 3\n}\nbyte 7;\ninit { ) }\n";
    let places: Vec<String> = messages(text).iter().map(|message| summary(message).0).collect();
    // One for each unit: the others in P may be consequences of the first.
    assert_eq!(places, ["3:7", "10:6", "11:8"]);
}

#[test]
fn many_errors_are_cut() {
    let text = "byte 7; ".repeat(500);
    let found = messages(&text);
    assert_eq!(found.len(), 21);
    assert!(found[20].starts_with("note: too many errors"));
}

/// One mistake, one message, with what was meant.
#[test]
fn mistakes_of_other_languages_are_known() {
    let table = [
        ("actve proctype P() { x = 1; y = 2 }", "did you mean `active`?"),
        ("active proctpe P() { skip }", "did you mean `proctype`?"),
        ("inti { skip }", "did you mean `init`?"),
        ("itn x;", "did you mean `int`?"),
        ("boolean b;", "write `bool`"),
        ("byte x; init { while (x < 3) { x = x + 1; x = 2 }; x = 0 }", "Promela has no `while`"),
        ("byte x; init { x += 1; x = 2 }", "Promela has no `+=`: write `x = x + …`"),
        (
            "byte x; init { for (x = 0; x < 3; x++) { skip }; x = 1 }",
            "write `for (x : 1 .. 3) { … }`",
        ),
        ("byte x; init { if (x == 1) { skip } else { skip } }", "write `if :: condition -> …"),
        ("byte x; init { if :: (x = 1) -> skip fi }", "to compare two values write `==`"),
        (
            "byte x; init { x = x == 1 ? 2 : 3 }",
            "a conditional expression is `(condition -> a : b)`",
        ),
        ("byte x; init { x = (x > 3) and (x < 5) }", "write `&&`"),
        ("byte x; init { asert(x == 0) }", "did you mean `assert`?"),
        ("byte x; init { atomc { x = 1; x = 2 } }", "did you mean `atomic`?"),
        ("init { print(\"hello\") }", "write `printf(\"…\")`"),
        ("inline twice(a) { a = a * 2 } byte x; init { twcie(x) }", "did you mean `twice`?"),
    ];
    for (text, wanted) in table {
        let found = messages(text);
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        assert!(found[0].contains(wanted), "{text}: {}", found[0]);
    }
    // A brace too many: what stands behind it is not complained about line by line.
    let found = messages("byte x;\ninit {\n x = 1 }\n x = 2;\n x = 3\n}\nproctype P() { ) }\n");
    let places: Vec<String> = found.iter().map(|message| summary(message).0).collect();
    assert_eq!(places, ["4:2", "7:16"]);
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in
        [("(", ")"), ("{ ", " }"), ("if :: ", " fi"), ("! ", ""), ("- ", ""), ("a[", "]")]
    {
        let text = format!("init {{ {}skip{} }}", open.repeat(5000), close.repeat(5000));
        let found = messages(&text);
        assert!(found[0].starts_with("error: nested too deeply"), "{}", found[0]);
    }
    let chain = format!("init {{ x = 1{} }}", " + 1".repeat(5000));
    assert!(messages(&chain)[0].starts_with("error: this expression has too many operators"));
}

#[test]
fn messages_name_macros_and_inlines() {
    let text = "#define BAD(x) x = = 1\ninit {\n  BAD(y)\n}\n";
    let expected = "\
error: expected an expression, found `=`
 --> m.pml:3:3
  |
3 |   BAD(y)
  |   ^^^^^^ expected an expression
  |
 ::: m.pml:1:20
  |
1 | #define BAD(x) x = = 1
  |                    - in the text of macro `BAD`
  |
  = help: to compare two values write `==`
";
    assert_eq!(messages(text), [expected]);

    let text = "#define ONE(v) v = 1 1\ninline f(a) {\n  ONE(a)\n}\ninit {\n  skip;\n  f(z)\n}\n";
    let expected = "\
error: expected `;` or a newline before `1`
 --> m.pml:7:3
  |
7 |   f(z)
  |   ^^^^ a statement ends before this
  |
 ::: m.pml:1:22
  |
1 | #define ONE(v) v = 1 1
  |                      - in the text of macro `ONE`
  |
 ::: m.pml:3:3
  |
3 |   ONE(a)
  |   ------ in the text of inline `f`
";
    assert_eq!(messages(text), [expected]);
}

#[test]
fn runaway_inlines_are_stopped() {
    let mut text = String::from("byte x;\ninline f0() { x = 1; x = 2; x = 3 }\n");
    for level in 1..20 {
        let inner = format!("f{}(); ", level - 1).repeat(4);
        text.push_str(&format!("inline f{level}() {{ {inner} }}\n"));
    }
    text.push_str("init { f19() }\n");
    let found = messages(&text);
    assert!(found[0].starts_with("error: the calls of inlines make too much text"), "{}", found[0]);
    assert!(found[0].contains("m.pml:22:8"), "{}", found[0]);
}
