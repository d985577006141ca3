//! Formulas to text, in either dialect. What is printed is read back as the same formula.

use super::Dialect;
use crate::formula::{Binary, Formulas, Ltl, Node};

/// How to print the formulas of an arena.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    all: &'a Formulas,
    spin: bool,
    explicit: bool,
}

impl<'a> Printer<'a> {
    /// Spot's dialect.
    pub fn new(all: &'a Formulas) -> Self {
        Printer { all, spin: false, explicit: false }
    }

    /// In this dialect instead.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.spin = dialect == Dialect::Spin;
        self
    }

    /// With a parenthesis around every operand that is not a proposition or constant.
    pub fn explicit(mut self) -> Self {
        self.explicit = true;
        self
    }

    /// The formula as text that is read as the same one.
    pub fn text(&self, f: Ltl) -> String {
        let mut out = String::new();
        self.write(f, &mut out);
        out
    }

    fn write(&self, f: Ltl, out: &mut String) {
        let signs = if self.spin { &SPIN } else { &SPOT };
        match self.all.node(f) {
            Node::False => out.push_str(signs.no),
            Node::True => out.push_str(signs.yes),
            Node::Ap(index) => self.write_ap(&self.all.ap_names()[*index as usize], out),
            Node::Not(a) => self.write_prefix("!", *a, out),
            Node::Next(a) => self.write_prefix(signs.next, *a, out),
            Node::Finally(a) => self.write_prefix(signs.finally, *a, out),
            Node::Globally(a) => self.write_prefix(signs.globally, *a, out),
            Node::And(parts) => self.write_parts(signs.and, parts, out),
            Node::Or(parts) => self.write_parts(signs.or, parts, out),
            Node::Binary(op, a, b) => match (op, self.spin) {
                // Spin has neither xor nor strong release.
                (Binary::Xor, true) => {
                    out.push_str("!(");
                    self.write_parts(" <-> ", &[*a, *b], out);
                    out.push(')');
                }
                (Binary::StrongRelease, true) => {
                    self.write_operand(*b, out);
                    out.push_str(" U (");
                    self.write_operand(*a, out);
                    out.push_str(" && ");
                    self.write_operand(*b, out);
                    out.push(')');
                }
                (Binary::Implies, _) => self.write_parts(" -> ", &[*a, *b], out),
                (Binary::Equiv, _) => self.write_parts(" <-> ", &[*a, *b], out),
                (Binary::Xor, _) => self.write_parts(" xor ", &[*a, *b], out),
                (Binary::Until, _) => self.write_parts(" U ", &[*a, *b], out),
                (Binary::Release, _) => self.write_parts(signs.release, &[*a, *b], out),
                (Binary::WeakUntil, _) => self.write_parts(" W ", &[*a, *b], out),
                (Binary::StrongRelease, _) => self.write_parts(" M ", &[*a, *b], out),
            },
        }
    }

    fn write_prefix(&self, sign: &str, operand: Ltl, out: &mut String) {
        out.push_str(sign);
        // `X` and a name need something between them, where the letter is not split off.
        if self.spin && sign != "!" {
            out.push(' ');
        }
        self.write_operand(operand, out);
    }

    fn write_parts(&self, sign: &str, parts: &[Ltl], out: &mut String) {
        for (i, &part) in parts.iter().enumerate() {
            if i > 0 {
                out.push_str(sign);
            }
            self.write_operand(part, out);
        }
    }

    /// Only prefix operators and atoms go without parentheses.
    fn write_operand(&self, f: Ltl, out: &mut String) {
        let bare = match self.all.node(f) {
            Node::False | Node::True | Node::Ap(_) => true,
            Node::Not(_) | Node::Next(_) | Node::Finally(_) | Node::Globally(_) => !self.explicit,
            _ => false,
        };
        if bare {
            self.write(f, out);
        } else {
            out.push('(');
            self.write(f, out);
            out.push(')');
        }
    }

    fn write_ap(&self, name: &str, out: &mut String) {
        if self.is_plain_name(name) {
            out.push_str(name);
        } else {
            out.push('"');
            for c in name.chars() {
                if c == '"' || c == '\\' {
                    out.push('\\');
                }
                out.push(c);
            }
            out.push('"');
        }
    }

    /// Whether the lexer would read the name as one proposition, whatever the dialect.
    fn is_plain_name(&self, name: &str) -> bool {
        const RESERVED: [&str; 18] = [
            "U",
            "V",
            "W",
            "X",
            "G",
            "F",
            "R",
            "M",
            "xor",
            "always",
            "eventually",
            "next",
            "until",
            "stronguntil",
            "weakuntil",
            "release",
            "implies",
            "equivalent",
        ];
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(['G', 'F', 'X'])
            && !RESERVED.contains(&name)
            && !name.eq_ignore_ascii_case("true")
            && !name.eq_ignore_ascii_case("false")
    }
}

struct Signs {
    yes: &'static str,
    no: &'static str,
    next: &'static str,
    finally: &'static str,
    globally: &'static str,
    and: &'static str,
    or: &'static str,
    release: &'static str,
}

const SPOT: Signs = Signs {
    yes: "1",
    no: "0",
    next: "X",
    finally: "F",
    globally: "G",
    and: " & ",
    or: " | ",
    release: " R ",
};

const SPIN: Signs = Signs {
    yes: "true",
    no: "false",
    next: "X",
    finally: "<>",
    globally: "[]",
    and: " && ",
    or: " || ",
    release: " V ",
};
