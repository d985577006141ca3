//! The integer expressions of `#if` and `#elif` (C11 6.10.1): 64-bit, with C's unsigned rule.

use super::token::{PpKind, PpToken};
use crate::diagnostics::{Diagnostic, Span};

/// Deeper parentheses than this are refused.
const MAX_DEPTH: u32 = 200;

#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

fn signed(bits: i64) -> Value {
    Value { bits, unsigned: false }
}

/// The value of an expression whose macros are expanded and whose `defined` are replaced.
pub(super) fn evaluate(tokens: &[PpToken], line: Span) -> Result<bool, Diagnostic> {
    let mut parser = Parser { tokens, at: 0, line, depth: 0, dead: 0 };
    if tokens.is_empty() {
        return Err(Diagnostic::error(line, "this condition has no expression"));
    }
    let value = parser.conditional()?;
    match parser.peek() {
        None => Ok(value.bits != 0),
        Some(extra) => {
            Err(Diagnostic::error(extra.span, "the condition's expression is complete before this")
                .label(format!("unexpected `{}`", extra.text)))
        }
    }
}

struct Parser<'a> {
    tokens: &'a [PpToken],
    at: usize,
    line: Span,
    depth: u32,
    /// Within an operand that is not evaluated, such as `x` in `0 && x`: no division error.
    dead: u32,
}

/// Binary operators by binding strength, weakest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    fn peek(&self) -> Option<&PpToken> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, punct: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(punct));
        self.at += usize::from(found);
        found
    }

    fn here(&self) -> Span {
        self.peek().or(self.tokens.last()).map_or(self.line, |token| token.span)
    }

    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::error(self.here(), "the condition is nested too deeply"));
        }
        Ok(())
    }

    fn conditional(&mut self) -> Result<Value, Diagnostic> {
        self.deeper()?;
        let condition = self.binary(0)?;
        let value = if self.take("?") {
            let yes = condition.bits != 0;
            self.dead += u32::from(!yes);
            let then = self.conditional()?;
            self.dead -= u32::from(!yes);
            if !self.take(":") {
                return Err(Diagnostic::error(self.here(), "expected `:` of the `?`"));
            }
            self.dead += u32::from(yes);
            let otherwise = self.conditional()?;
            self.dead -= u32::from(yes);
            let unsigned = then.unsigned || otherwise.unsigned;
            Value { bits: if yes { then.bits } else { otherwise.bits }, unsigned }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, level: usize) -> Result<Value, Diagnostic> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|op| self.peek().is_some_and(|t| t.is(op)))
        {
            let at = self.here();
            self.at += 1;
            let skip = match *operator {
                "&&" => left.bits == 0,
                "||" => left.bits != 0,
                _ => false,
            };
            self.dead += u32::from(skip);
            let right = self.binary(level + 1)?;
            self.dead -= u32::from(skip);
            left = self.apply(operator, left, right, at)?;
        }
        Ok(left)
    }

    fn apply(&self, op: &str, left: Value, right: Value, at: Span) -> Result<Value, Diagnostic> {
        let unsigned = left.unsigned || right.unsigned;
        let (a, b) = (left.bits, right.bits);
        let (ua, ub) = (a as u64, b as u64);
        let truth = |holds: bool| signed(i64::from(holds));
        let number = |bits: i64| Value { bits, unsigned };
        let shift = |left_shift: bool, by: i64| match (left_shift, by) {
            (true, 0..64) => a << by,
            (false, 0..64) if left.unsigned => (ua >> by) as i64,
            (false, 0..64) => a >> by,
            (false, _) if !left.unsigned && a < 0 => -1,
            _ => 0,
        };
        Ok(match op {
            "||" => truth(a != 0 || b != 0),
            "&&" => truth(a != 0 && b != 0),
            "|" => number(a | b),
            "^" => number(a ^ b),
            "&" => number(a & b),
            "==" => truth(a == b),
            "!=" => truth(a != b),
            "<" => truth(if unsigned { ua < ub } else { a < b }),
            ">" => truth(if unsigned { ua > ub } else { a > b }),
            "<=" => truth(if unsigned { ua <= ub } else { a <= b }),
            ">=" => truth(if unsigned { ua >= ub } else { a >= b }),
            "<<" => Value { bits: shift(true, b), unsigned: left.unsigned },
            ">>" => Value { bits: shift(false, b), unsigned: left.unsigned },
            "+" => number(a.wrapping_add(b)),
            "-" => number(a.wrapping_sub(b)),
            "*" => number(a.wrapping_mul(b)),
            _ if b == 0 && self.dead > 0 => number(0),
            _ if b == 0 => return Err(Diagnostic::error(at, "division by zero in a condition")),
            "/" if unsigned => number((ua / ub) as i64),
            "/" => number(a.wrapping_div(b)),
            _ if unsigned => number((ua % ub) as i64),
            _ => number(a.wrapping_rem(b)),
        })
    }

    fn unary(&mut self) -> Result<Value, Diagnostic> {
        self.deeper()?;
        let Some(token) = self.peek().cloned() else {
            let message = "the condition ends where a value is expected";
            return Err(Diagnostic::error(self.here().end(), message));
        };
        self.at += 1;
        let value = match token.kind {
            PpKind::Punct if token.is("(") => {
                let value = self.conditional()?;
                if !self.take(")") {
                    return Err(Diagnostic::error(self.here(), "expected `)` in the condition")
                        .also(token.span, "opened here"));
                }
                value
            }
            PpKind::Punct if token.is("!") => signed(i64::from(self.unary()?.bits == 0)),
            PpKind::Punct if token.is("-") => {
                let value = self.unary()?;
                Value { bits: value.bits.wrapping_neg(), ..value }
            }
            PpKind::Punct if token.is("+") => self.unary()?,
            PpKind::Punct if token.is("~") => {
                let value = self.unary()?;
                Value { bits: !value.bits, ..value }
            }
            PpKind::Number => integer(&token)?,
            PpKind::Char => signed(character(&token)?),
            // 6.10.1p4: names that are left over are 0.
            PpKind::Ident => signed(0),
            _ => {
                return Err(Diagnostic::error(token.span, "expected a value in the condition")
                    .label(format!("found `{}`", token.text)));
            }
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn integer(token: &PpToken) -> Result<Value, Diagnostic> {
    let lower = token.text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (digits, radix) = match digits {
        _ if digits.starts_with("0x") => (&digits[2..], 16),
        _ if digits.starts_with("0b") => (&digits[2..], 2),
        _ if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits, 10),
    };
    let number = u64::from_str_radix(digits, radix).map_err(|_| {
        Diagnostic::error(token.span, format!("`{}` is not an integer", token.text))
    })?;
    let unsigned = suffix.contains('u') || number > i64::MAX as u64;
    Ok(Value { bits: number as i64, unsigned })
}

fn character(token: &PpToken) -> Result<i64, Diagnostic> {
    let inner = &token.text[1..token.text.len() - 1];
    let mut chars = inner.chars();
    let value = match (chars.next(), chars.next(), chars.next()) {
        (Some('\\'), Some(escape), None) => match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            '0' => 0,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            other => other as i64,
        },
        (Some(one), None, None) => one as i64,
        _ => {
            let message = "expected one character between the quotes";
            return Err(Diagnostic::error(token.span, message));
        }
    };
    Ok(value)
}
