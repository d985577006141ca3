//! Small random DVE models: committed states, rendezvous with and without values, buffered
//! channels, remote references, assertions, sometimes a property process.

use fastrand::Rng;
use std::fmt::Write;

const STATES: u32 = 4;

/// The text of a model.
pub(crate) fn model(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let processes = 2 + random.u32(..3);
    let generator = Generator { random, text: String::new(), processes };
    generator.model()
}

struct Generator {
    random: Rng,
    text: String,
    processes: u32,
}

impl Generator {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.usize(..list.len())]
    }

    fn model(mut self) -> String {
        let room = 1 + self.random.u32(..2);
        let _ = writeln!(
            self.text,
            "byte x, y = 1; int i = -1; byte arr[3];\nchannel c, d;\n\
             channel {{byte, int}} q[{room}]; channel {{byte}} typed[0];"
        );
        let is_committing = self.chance(50);
        for pid in 0..self.processes {
            self.process(pid, is_committing);
        }
        if self.chance(40) {
            self.clock();
        }
        if !self.chance(25) {
            self.text += "system async;\n";
            return self.text;
        }
        let commit = if self.chance(30) { "commit q1; " } else { "" };
        let (first, second) = (self.expression(None, 1), self.expression(None, 1));
        let effect = if self.chance(40) { "effect seen = 1 - seen;" } else { "" };
        let _ = writeln!(
            self.text,
            "process Watch {{ byte seen; state q0, q1; init q0; {commit}accept q1;\n\
             trans q0 -> q0 {{}}, q0 -> q1 {{ guard {first}; {effect} }}, \
             q1 -> q1 {{ guard {second}; }}; }}\nsystem async property Watch;"
        );
        self.text
    }

    fn process(&mut self, pid: u32, is_committing: bool) {
        let _ = writeln!(self.text, "process P{pid} {{ byte l = {pid}, m[2];");
        self.text += "state s0, s1, s2, s3; init s0;";
        if is_committing && self.chance(60) {
            let at = self.random.u32(..STATES);
            let _ = write!(self.text, " commit s{at};");
        }
        if self.chance(20) {
            let at = self.random.u32(..STATES);
            let condition = match self.chance(70) {
                true => "i < 100".into(),
                false => self.expression(Some(pid), 1),
            };
            let _ = write!(self.text, " assert s{at}: {condition};");
        }
        self.text += "\ntrans";
        let count = 4 + self.random.u32(..5);
        for at in 0..count {
            let (from, to) = (self.random.u32(..STATES).min(at), self.random.u32(..STATES));
            let _ = write!(self.text, "{}\n s{from} -> s{to} {{", if at > 0 { "," } else { "" });
            if self.chance(50) {
                let guard = self.expression(Some(pid), 2);
                let _ = write!(self.text, " guard {guard};");
            }
            if self.chance(45) {
                let sync = self.sync(pid);
                let _ = write!(self.text, " sync {sync};");
            }
            for effect in 0..self.random.u32(..3) {
                let (target, value) = (self.target(), self.small(pid));
                let before = if effect == 0 { " effect " } else { ", " };
                let _ = write!(self.text, "{before}{target} = {value}");
                if effect == 1 {
                    break;
                }
            }
            if self.text.ends_with([';', '{']) {
                self.text += " }";
            } else {
                self.text += "; }";
            }
        }
        self.text += ";\n}\n";
    }

    /// A process with one transition, which does several things that have little to do with each other.
    fn clock(&mut self) {
        self.text += "process Clock { byte c = 1, e; state s0; init s0;\ntrans s0 -> s0 {";
        for number in 0..self.random.u32(..4) {
            let conjunct = self.pick(&[
                "c != 2",
                "(e < 2 or x == 1)",
                "x < 3",
                "y != 2",
                "i < 3",
                "arr[1] != 3",
                "arr[c & 1] < 3",
            ]);
            let before = if number == 0 { " guard " } else { " and " };
            let _ = write!(self.text, "{before}{conjunct}");
        }
        if self.text.ends_with('{') {
            self.text += " guard true";
        }
        for number in 0..1 + self.random.u32(..4) {
            let effect = self.pick(&[
                "c = (c + 1) & 3",
                "e = (e + c) & 1",
                "x = (x + 1) & 3",
                "y = 1 - y",
                "i = (i + 1) & 3",
                "i = x",
                "arr[1] = (arr[1] + 1) & 3",
                "arr[e] = 1",
                "arr[2] = arr[1]",
            ]);
            let before = if number == 0 { "; effect " } else { ", " };
            let _ = write!(self.text, "{before}{effect}");
        }
        self.text += "; };\n}\n";
    }

    fn sync(&mut self, pid: u32) -> String {
        let (value, other) = (self.small(pid), self.small(pid));
        let target = self.target();
        match self.random.u32(..10) {
            0 | 1 => format!("c!{value}"),
            2 | 3 => format!("c?{target}"),
            4 => "d!".into(),
            5 => "d?".into(),
            6 => format!("q!{{{value}, {other}}}"),
            7 => "q?{x, i}".into(),
            8 => format!("typed!{value}"),
            _ => format!("typed?{target}"),
        }
    }

    fn target(&mut self) -> &'static str {
        self.pick(&["x", "x", "y", "i", "l", "l", "m[1]", "m[x & 1]", "arr[0]", "arr[l]"])
    }

    /// A value that keeps models small.
    fn small(&mut self, pid: u32) -> String {
        match self.chance(50) {
            true => self.random.u32(..3).to_string(),
            false => format!("(({}) & 3)", self.expression(Some(pid), 1)),
        }
    }

    fn expression(&mut self, pid: Option<u32>, depth: u32) -> String {
        if depth == 0 || self.chance(30) {
            let (other, state) = (self.random.u32(..self.processes), self.random.u32(..STATES));
            return match self.random.u32(..12) {
                0 | 1 => "x".into(),
                2 => "y".into(),
                3 => "i".into(),
                4 => "arr[1]".into(),
                5 => "arr[y]".into(),
                6 => format!("(P{other}.s{state})"),
                7 => format!("(P{other}->l)"),
                8 | 9 if pid.is_some() => "l".into(),
                10 if pid.is_some() => "m[l & 1]".into(),
                _ => self.random.u32(..3).to_string(),
            };
        }
        let (left, right) = (self.expression(pid, depth - 1), self.expression(pid, depth - 1));
        match self.random.u32(..8) {
            0 => format!("(not ({left}))"),
            1 if self.chance(20) => format!("(({left}) / ({right}))"),
            at => {
                let ops = ["+", "-", "==", "!=", "<", ">=", "and", "or"];
                format!("(({left}) {} ({right}))", ops[at as usize])
            }
        }
    }
}
