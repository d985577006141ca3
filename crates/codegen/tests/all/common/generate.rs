//! Small random Promela models: every construct that native code knows, and some that it does
//! not, in no sensible order.

use fastrand::Rng;
use std::fmt::Write;

/// Where statements are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Process,
    Atomic,
    DStep,
}

pub(crate) struct Generator {
    random: Rng,
    text: String,
    indent: usize,
    /// Something keeps processes from moving, or watches them.
    has_hidden: bool,
    has_provided: bool,
    has_priorities: bool,
    sets_priorities: bool,
    /// Statements left to write.
    budget: u32,
    loops: u32,
}

/// The text of a model.
pub(crate) fn model(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut is_special = |percent: u32| random.u32(..100) < percent;
    let generator = Generator {
        has_hidden: is_special(20),
        has_provided: is_special(20),
        has_priorities: is_special(20),
        sets_priorities: is_special(40),
        random,
        text: String::new(),
        indent: 0,
        budget: 0,
        loops: 0,
    };
    generator.model()
}

/// Propositions over the globals and the processes of such a model.
pub(crate) const PROPOSITIONS: [&str; 8] = [
    "x == 1",
    "y > z || b",
    "arr[x] != 0",
    "len(q) > 0",
    "nfull(q) && !(i / 2 == 1)",
    "q?[1,_]",
    "A@here",
    "x % y == 0",
];

impl Generator {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.usize(..list.len())]
    }

    fn model(mut self) -> String {
        self.line("mtype = { red, green, blue };");
        self.line("typedef T { byte u; short v[2] };");
        self.line("byte x, y = 1, z; bool b; bit f; int i = -1; short s; unsigned w : 3 = 5;");
        self.line("byte never_written = 3; byte arr[3]; T t; mtype m = green;");
        let capacity = 1 + self.random.u32(..3);
        self.line(&format!("chan q = [{capacity}] of {{ byte, short }};"));
        let capacity = 1 + self.random.u32(..2);
        self.line(&format!("chan qs[2] = [{capacity}] of {{ byte }};"));
        self.line("chan rv = [0] of { byte, bool };");
        self.line("chan moving;");
        if self.has_hidden {
            self.line("hidden byte h; hidden int hs[2];");
        }
        if self.chance(10) {
            let trace = self.pick(&[
                "notrace { q!1,_; q?1,_; rv!1,_ }",
                "notrace { do :: q?_,_ :: q!1,_; break od; rv?_,_ }",
                "trace { do :: q!0,_ :: q!1,_ :: q!2,_ :: q!3,_; if :: q!1,_ :: q!0,_ fi od }",
                "trace { do :: qs[0]?eval(x) :: qs[0]?1 -> goto after od; after: do :: qs[0]?_ od }",
            ]);
            self.line(trace);
        }
        for name in ["A", "B"] {
            let count = 1 + self.random.u32(..2);
            let (priority, provided) = (self.priority(), self.provided());
            self.line(&format!("active [{count}] proctype {name}(){priority}{provided} {{"));
            self.body();
            if name == "A" {
                self.line("here: skip");
            } else {
                self.line("skip");
            }
            self.line("}");
        }
        if self.chance(40) {
            self.clock();
        }
        let provided = self.provided();
        self.line(&format!("proctype C(byte p; chan c){provided} {{"));
        if self.chance(30) {
            self.line("chan own = [1] of { byte, short };");
        }
        self.line("byte c0 = p;");
        self.body();
        self.line("end: c0++");
        self.line("}");
        self.line("init {");
        self.line("byte l, k; bool g[2];");
        self.line("moving = q;");
        let (one, other) = (self.priority(), self.priority());
        if self.chance(50) {
            self.line(&format!("atomic {{ run C(1, q){one}; run C(2, rv){other} }};"));
        } else {
            self.line(&format!("run C(x, q){one};"));
        }
        self.budget = 4;
        self.statements(Inside::Process);
        self.line("skip");
        self.line("}");
        self.text
    }

    /// A process with one command, which does several things that have little to do with each other.
    fn clock(&mut self) {
        self.line("active proctype Clock() {");
        self.line("byte c = 1, e; short d;");
        let guards: Vec<&str> = (0..1 + self.random.u32(..4))
            .map(|_| {
                self.pick(&[
                    "c != 2",
                    "(e < 2 || x == 1)",
                    "x < 3",
                    "y != 2",
                    "w > 0",
                    "arr[1] != 3",
                    "arr[c & 1] < 3",
                    "never_written == 3",
                ])
            })
            .collect();
        let guard = guards.join(" && ");
        let assignments: Vec<&str> = (0..1 + self.random.u32(..4))
            .map(|_| {
                self.pick(&[
                    "c = (c + 1) & 3",
                    "e = (e + c) & 1",
                    "x = (x + 1) & 3",
                    "y = !y",
                    "z = (z + 1) & 1",
                    "w = w - 1",
                    "d = x",
                    "arr[1] = (arr[1] + 1) & 3",
                    "arr[e] = 1",
                    "t.v[1] = t.u",
                ])
            })
            .collect();
        let assignments = assignments.join("; ");
        let text = match self.random.u32(..6) {
            0 => format!("do :: {guard} od"),
            1 => format!("do :: d_step {{ {assignments} }} od"),
            _ => format!("do :: d_step {{ {guard}; {assignments} }} od"),
        };
        self.line(&text);
        self.line("}");
    }

    fn priority(&mut self) -> String {
        match self.has_priorities && self.chance(70) {
            true => format!(" priority {}", 1 + self.random.u32(..3)),
            false => String::new(),
        }
    }

    fn provided(&mut self) -> String {
        if !self.has_provided || self.chance(40) {
            return String::new();
        }
        let mostly_true = ["x < 3", "!b", "y != 2", "len(q) < 2", "arr[x & 1] < 3", "6 / y > 1"];
        let clause = self.pick(&mostly_true);
        format!(" provided ({clause})")
    }

    fn body(&mut self) {
        self.line("byte l = 2; int k; bool g[2];");
        self.budget = 6 + self.random.u32(..8);
        self.statements(Inside::Process);
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn statements(&mut self, inside: Inside) {
        let count = 1 + self.random.u32(..3);
        for _ in 0..count {
            self.statement(inside);
        }
    }

    fn statement(&mut self, inside: Inside) {
        if self.budget == 0 {
            return self.line("skip;");
        }
        self.budget -= 1;
        match self.random.u32(..20) {
            0..=6 => {
                let assign = self.assign();
                self.line(&format!("{assign};"));
            }
            7 => {
                let guard = self.guard();
                self.line(&format!("({guard});"));
            }
            8..=10 => {
                let message = self.message(inside);
                self.line(&format!("{message};"));
            }
            11 | 12 => self.choice("if", "fi", inside),
            13 if self.loops < 1 && inside != Inside::DStep => {
                self.loops += 1;
                self.choice("do", "od", inside);
                self.loops -= 1;
            }
            14 if inside == Inside::Process => self.block("atomic {", "};", Inside::Atomic),
            15 if inside == Inside::Process => self.block("d_step {", "};", Inside::DStep),
            16 if inside != Inside::DStep && self.chance(30) => {
                let argument = self.expression(1);
                self.line(&format!("k = run C({argument}, q);"));
            }
            17 => {
                let wrong = self.chance(20);
                let text = if wrong { "assert(x < 2);" } else { "assert(never_written == 3);" };
                self.line(text);
            }
            18 if inside == Inside::Process && self.chance(40) => {
                self.block("{", "} unless {", Inside::Process);
                let guard = self.expression(1);
                self.indent += 1;
                self.line(&format!("({guard});"));
                self.statements(Inside::Process);
                self.line("skip");
                self.indent -= 1;
                self.line("};");
            }
            19 if self.has_priorities && self.sets_priorities => {
                let statement = self.pick(&[
                    "set_priority(_pid, 1 + (x & 3));",
                    "set_priority(0, 2);",
                    "set_priority(y, x);",
                    "k = get_priority(l);",
                    "_priority = 2;",
                ]);
                self.line(statement);
            }
            19 => self.line("printf(\"%d %d\\n\", x, k);"),
            _ => self.line("skip;"),
        }
    }

    fn block(&mut self, open: &str, close: &str, inside: Inside) {
        self.line(open);
        self.indent += 1;
        // Mostly executable at its start.
        let first = self.assign();
        self.line(&format!("{first};"));
        self.statements(inside);
        self.line("skip");
        self.indent -= 1;
        self.line(close);
    }

    fn choice(&mut self, open: &str, close: &str, inside: Inside) {
        self.line(open);
        self.indent += 1;
        for _ in 0..1 + self.random.u32(..2) {
            let first = match self.random.u32(..5) {
                0 if inside != Inside::DStep => self.message(inside),
                1 => self.assign(),
                _ => format!("({})", self.guard()),
            };
            self.line(&format!(":: {first} ->"));
            self.indent += 1;
            self.statements(inside);
            if open == "do" && self.chance(40) {
                self.line("break");
            } else {
                self.line("skip");
            }
            self.indent -= 1;
        }
        if self.chance(50) {
            self.line(":: else ->");
            self.indent += 1;
            self.statements(inside);
            self.line(if open == "do" { "break" } else { "skip" });
            self.indent -= 1;
        } else if open == "do" {
            self.line(":: break");
        }
        if self.chance(15) && inside == Inside::Process {
            self.line(":: timeout -> x = 0");
        }
        self.indent -= 1;
        self.line(&format!("{close};"));
    }

    fn assign(&mut self) -> String {
        if self.has_hidden && self.chance(25) {
            let target = self.pick(&["h", "hs[1]", "hs[l & 1]"]);
            return format!("{target} = ({}) & 3", self.expression(2));
        }
        let target = self.pick(&[
            "x", "x", "y", "z", "b", "f", "i", "s", "w", "l", "k", "g[1]", "arr[1]", "arr[l]",
            "arr[x]", "t.u", "t.v[1]", "t.v[f]", "m", "_",
        ]);
        // An atomic sequence that counts through all values of an `int` takes too long.
        let is_endless = self.loops > 0 && ["i", "s", "k", "t.v[1]", "t.v[f]"].contains(&target);
        let counts = !is_endless && !["m", "_", "b"].contains(&target);
        match self.random.u32(..6) {
            0 if counts => format!("{target}++"),
            1 if counts => format!("{target}--"),
            // Keep values small, so that models stay small.
            2 | 3 => format!("{target} = {}", self.random.u32(..4)),
            _ => format!("{target} = ({}) & 3", self.expression(2)),
        }
    }

    fn message(&mut self, inside: Inside) -> String {
        let value = self.expression(1);
        let rendezvous = inside != Inside::DStep;
        match self.random.u32(..17) {
            0 | 1 => format!("q!({value}), {}", self.random.u32(..3)),
            2 => format!("q!!({value}), 1"),
            3 => "q?x,s".into(),
            4 => "q?l,_".into(),
            5 => "q?1,k".into(),
            6 => "q??eval(x),s".into(),
            7 => "q?<x,k>".into(),
            8 => format!("qs[{}]!({value})", self.pick(&["0", "1", "l", "f"])),
            9 => format!("qs[{}]?x", self.pick(&["0", "1", "y", "f"])),
            10 | 11 if rendezvous => format!("rv!({value}), b"),
            12 | 13 if rendezvous => "rv?x,b".into(),
            14 if rendezvous => "rv?eval(y),_".into(),
            15 => format!("moving!({value}), 2"),
            16 => "moving??2,k".into(),
            _ => "q?y,s".into(),
        }
    }

    /// Questions about channels stand only between `&&` and `||`.
    fn guard(&mut self) -> String {
        let expression = self.expression(2);
        if self.chance(75) {
            return expression;
        }
        let question = self.pick(&[
            "full(q)",
            "nfull(q)",
            "empty(q)",
            "nempty(q)",
            "full(qs[f])",
            "nempty(qs[1])",
            "nfull(moving)",
            "empty(moving)",
            "nfull(rv)",
        ]);
        match self.random.u32(..3) {
            0 => question.into(),
            1 => format!("({expression}) && {question}"),
            _ => format!("{question} || ({expression})"),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if self.has_hidden && self.chance(15) {
            return self.pick(&["h", "hs[0]", "hs[x & 1]"]).into();
        }
        if self.has_priorities && self.chance(5) {
            return self.pick(&["get_priority(1)", "_priority", "get_priority(x)"]).into();
        }
        if depth == 0 || self.chance(30) {
            return self
                .pick(&[
                    "x",
                    "y",
                    "z",
                    "b",
                    "f",
                    "i",
                    "s",
                    "w",
                    "l",
                    "k",
                    "0",
                    "1",
                    "2",
                    "-1",
                    "arr[0]",
                    "arr[l & 1]",
                    "g[0]",
                    "t.u",
                    "t.v[0]",
                    "never_written",
                    "_pid",
                    "_nr_pr",
                    "len(q)",
                    "len(qs[0])",
                    "m",
                    "arr[x]",
                    "len(moving)",
                ])
                .to_owned();
        }
        let left = self.expression(depth - 1);
        let right = self.expression(depth - 1);
        match self.random.u32(..30) {
            2 => "q?[1,_]".into(),
            3 => "q??[eval(x),0]".into(),
            4 => format!("!({left})"),
            5 => format!("-({left})"),
            6 => format!("~({left})"),
            7 => format!("(({left}) -> ({right}) : y)"),
            8 => "m == green".into(),
            9 => format!("({left}) / ({right})"),
            10 => format!("({left}) % ({right})"),
            _ => {
                let op = self.pick(&[
                    "+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "&", "|", "^",
                    "<<", ">>", "/", "%",
                ]);
                // Division mostly by something.
                match op {
                    "/" | "%" => format!("({left}) {op} 3"),
                    op => format!("({left}) {op} ({right})"),
                }
            }
        }
    }
}
