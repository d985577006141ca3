//! Expected texts are what `gcc -std=gnu99 -E -x c` of gcc 12 prints, blank runs squeezed.

use super::{Macros, preprocess};
use crate::diagnostics::{SourceMap, render};
use crate::promela::CppOptions;

fn expand_with(text: &str, defines: &[&str]) -> (String, Vec<String>) {
    let mut sources = SourceMap::new();
    let root = sources.add("model.pml", text);
    let defines = defines.iter().map(|define| define.to_string()).collect();
    let options = CppOptions { defines, ..CppOptions::default() };
    let (expanded, diagnostics) = preprocess(&mut sources, root, &options, &mut Macros::default());
    let lines =
        expanded.text().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    (text, diagnostics.iter().map(|diagnostic| render(&sources, diagnostic, false)).collect())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (found, messages) = expand_with(text, &[]);
    assert_eq!(found, expected, "{messages:?}");
}

#[track_caller]
fn check_error(text: &str, expected: &[&str]) {
    let (_, messages) = expand_with(text, &[]);
    let all = messages.concat();
    for part in expected {
        assert!(all.contains(part), "no `{part}` in:\n{all}");
    }
}

#[test]
fn object_like() {
    check("#define N 3\n#define M N+N\nx = M; y = \"N\"; z = 'N'", "x = 3 +3; y = \"N\"; z = 'N'");
    check("#define A\nx A y\nA\nz", "x y\nz");
}

#[test]
fn function_like() {
    check(
        "#define inc(a, n) a = a + n\ninc(x, f(1,2)); inc ; inc (y,)",
        "x = x + f(1,2); inc ; y = y +",
    );
    check("#define f() 1\nf() f f( )", "1 f 1");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
    check("#define f(x) x f\nf(1)(2)(3)", "1 f(2)(3)");
}

#[test]
fn recursion_stops() {
    check("#define a b\n#define b a\na b", "a b");
    check("#define foo(x) foo(x + 1)\nfoo(foo(2))", "foo(foo(2 + 1) + 1)");
}

#[test]
fn stringify_and_paste() {
    check("#define s(x) #x\ns( a  + \"q\\n\" 'c' )", r#""a + \"q\\n\" 'c'""#);
    check("#define p(a,b) a##b\np(x,1) p(,y) p(z,) p(-,>)", "x1 y z ->");
    check("#define N 3\n#define p(a) a##N N##a a\np(N)", "NN NN 3");
    check("#define v(f, ...) f(a, ## __VA_ARGS__)\nv(g) v(g,1,2)", "g(a) g(a,1,2)");
}

#[test]
fn numbers_are_greedy() {
    check(
        "#define N 3\nfor (i : 0..N) for (i : 0 .. N) 1N .5N",
        "for (i : 0..N) for (i : 0 .. 3) 1N .5N",
    );
}

#[test]
fn tokens_from_different_places_do_not_merge() {
    check("#define NEG -1\nx-NEG", "x- -1");
    check("#define Q ?\nc Q?x c??x", "c ??x c??x");
    check("#define D .\nD. ..", ". . ..");
}

#[test]
fn newlines() {
    check(
        "#define F(a,b) a + b\nx = 1 /* foo\n */ x = 2\nF(1,\n 2) x = 3\nF(1,\n 2); x = 4\nF\nx = 5\nF(1\n ,\n3)",
        "x = 1\nx = 2\n1 + 2\nx = 3\n1 + 2\n; x = 4\nF\nx = 5\n1 + 3",
    );
    check("#define L a; \\\n  b\nL\nc \\\nd", "a; b\nc\nd");
}

#[test]
fn unclosed_quotes_hide_their_line() {
    let (text, messages) = expand_with("#define N 3\n'unterm N\nN /* don't */ N", &[]);
    assert_eq!(text, "'unterm N\n3 3");
    assert!(messages[0].starts_with("warning: missing terminating ' character"), "{}", messages[0]);
}

#[test]
fn conditionals() {
    let text = "#if defined(A) && A > 2 || !defined B\na\n#elif B == 2\nb\n#elif B\nc\n#else\nd\n#endif\ne";
    for (defines, expected) in [
        (&["A=3", "B=1"][..], "a\ne"),
        (&["B=2"], "b\ne"),
        (&["A=1", "B"], "c\ne"),
        (&["B=0"], "d\ne"),
        (&[], "a\ne"),
    ] {
        assert_eq!(expand_with(text, defines).0, expected, "{defines:?}");
    }
    check("#ifdef X\n#if 0\na\n#else\nb\n#endif\nit's\n#else\nc\n#endif", "c");
    check(
        "#ifndef X\n#define X\na\n#endif\n#ifndef X\nb\n#endif\n#undef X\n#ifdef X\nc\n#endif",
        "a",
    );
    check(
        "#if (1 ? 2 : 1/0) == 2 && -1 < 0 && -1 > 0u && (7 ^ 2) == 5 && 'a' == 97 && 0x10 == 020\nok\n#endif",
        "ok",
    );
    check("#define f(x) (x)\n#if f(3) << 2 >= 12 && UNKNOWN == 0\nok\n#endif", "ok");
}

#[test]
fn command_line_defines() {
    assert_eq!(expand_with("N F(2) E|", &["N=4", "F(x)=x*2", "E="]).0, "4 2*2 |");
    assert_eq!(expand_with("N", &["N"]).0, "1");
}

#[test]
fn line_markers_rename_lines() {
    check_error("# 41 \"orig.pml\" 1\nx\n#error no\n", &["--> orig.pml:42:1", "error: #error no"]);
    check_error("a\n#line 7\n#error no\n", &["--> model.pml:7:1"]);
}

#[test]
fn builtins() {
    check("#define L __LINE__\n\nL __FILE__", "3 \"model.pml\"");
}

#[test]
fn errors_have_places() {
    check_error("/* a", &["comment is not closed", "model.pml:1:1"]);
    check_error("#if 1\nx", &["no `#endif`", "model.pml:1:1"]);
    check_error("x\n#endif", &["`#endif` without `#if`", "model.pml:2:1"]);
    check_error("#if 1\n#else\n#else\n#endif", &["`#else` behind `#else`"]);
    check_error("#define f(a) a\nf(1,2)", &["takes 1 argument but is given 2", "model.pml:2:1"]);
    check_error("#define f(a) a\nf(1", &["no closing `)`", "model.pml:2:1"]);
    check_error("#define f(a,a) a", &["occurs twice", "model.pml:1:13"]);
    check_error("#define f(a b", &["malformed parameter list", "model.pml:1:13"]);
    check_error("#define 1", &["expected a macro name", "model.pml:1:9"]);
    check_error("#define f(a) #b", &["not followed by a macro parameter"]);
    check_error("#define f ##", &["cannot stand at either end"]);
    check_error("#if 1 +\n#endif", &["ends where a value is expected"]);
    check_error("#if 1/0\n#endif", &["division by zero", "model.pml:1:6"]);
    check_error("#if\n#endif", &["no expression"]);
    check_error("#include \"gone.h\"", &["cannot include `gone.h`: file not found", "-I"]);
    check_error("#include gone", &["expected `\"file\"` or `<file>`"]);
    check_error("#bogus", &["`#bogus` is not a preprocessor directive"]);
    check_error("#define p(a,b) a##b\np(+,x)", &["does not give one token"]);
}

#[test]
fn includes_are_relative_to_the_including_file() {
    let directory = std::env::temp_dir().join(format!("lariat-cpp-{}", std::process::id()));
    let below = directory.join("sub");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(below.join("a.h"), "a\n#include \"b.h\"\n").unwrap();
    std::fs::write(below.join("b.h"), "b\n").unwrap();
    std::fs::write(directory.join("self.h"), "#include \"self.h\"\n").unwrap();
    let run = |text: &str, include_dirs| {
        let mut sources = SourceMap::new();
        let root = sources.add(directory.join("m.pml").to_str().unwrap(), text);
        let options = CppOptions { include_dirs, ..CppOptions::default() };
        let (expanded, diagnostics) =
            preprocess(&mut sources, root, &options, &mut Macros::default());
        let messages: String = diagnostics.iter().map(|d| render(&sources, d, false)).collect();
        (expanded.text().split_whitespace().collect::<Vec<_>>().join(" "), messages)
    };
    assert_eq!(run("#include \"sub/a.h\"\nc", vec![]).0, "a b c");
    assert_eq!(run("#define H <b.h>\n#include H\nc", vec![below.clone()]).0, "b c");
    assert!(run("#include <b.h>\nc", vec![]).1.contains("file not found"));
    assert!(run("#include \"self.h\"\nc", vec![]).1.contains("included too deeply"));
    for at in 0..40 {
        let twice = format!("#include \"t{0}.h\"\n#include \"t{0}.h\"\n", at + 1);
        std::fs::write(directory.join(format!("t{at}.h")), twice).unwrap();
    }
    std::fs::write(directory.join("t40.h"), "").unwrap();
    assert!(run("#include \"t0.h\"\nc", vec![]).1.contains("make too much text"));
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn runaway_expansion_is_stopped() {
    let mut text = String::from("#define a0 x x x x x x x x\n");
    for level in 1..12 {
        let inner = format!("a{} ", level - 1).repeat(8);
        text.push_str(&format!("#define a{level} {inner}\n"));
    }
    text.push_str("a11\n");
    check_error(&text, &["macros and included files make too much text"]);
    let nested = format!("#define f(x) x\n{}{}", "f(".repeat(5000), ")".repeat(5000));
    check_error(&nested, &["nested too deeply"]);
}
