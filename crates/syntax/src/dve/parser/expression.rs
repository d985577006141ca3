//! Expressions: precedence climbing with DVE's levels.

use super::{Parser, Result};
use crate::diagnostics::{Diagnostic, Span};
use crate::dve::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::dve::lexer::Token;

/// How deep a tree may be: recursion over trees, here and later, stays far from the end of the
/// stack. A chain `a + b + c …` is as deep as it is long.
const MAX_DEPTH: usize = 1000;

impl Parser {
    /// An expression that is all of the text.
    pub(crate) fn lone_expression(&mut self) -> Result<Expr> {
        let expr = self.expression()?;
        if *self.peek() != Token::End {
            return self.expected("an operator or the end");
        }
        Ok(expr)
    }

    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.depth = 0;
        self.binary(0).map(|(expr, _)| expr)
    }

    /// An expression of operators that bind at least as tight as `floor`, and its depth.
    fn binary(&mut self, floor: u8) -> Result<(Expr, usize)> {
        let start = self.span();
        let (mut left, mut height) = self.unary()?;
        while let Some(op) = self.binary_op() {
            if op.precedence() < floor {
                break;
            }
            self.advance();
            let (right, right_height) = self.binary(op.precedence() + 1)?;
            height = height.max(right_height) + 1;
            self.check_depth(height, start)?;
            let span = self.span_from(start);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        Ok((left, height))
    }

    fn check_depth(&mut self, depth: usize, at: Span) -> Result<()> {
        if depth + self.depth <= MAX_DEPTH {
            return Ok(());
        }
        let error = Diagnostic::error(at, "this expression is nested too deeply");
        self.fail(error.note(format!("at most {MAX_DEPTH} levels")))
    }

    fn unary(&mut self) -> Result<(Expr, usize)> {
        let start = self.span();
        let op = match self.peek() {
            Token::Fixed("-") => UnaryOp::Negate,
            Token::Fixed("~") => UnaryOp::Complement,
            Token::Fixed("not") => UnaryOp::Not,
            Token::Fixed("!") => {
                let error = Diagnostic::error(start, "`!` is no operator of expressions");
                return self.fail(error.help("write `not`"));
            }
            _ => return self.primary(),
        };
        self.advance();
        let (operand, height) = self.deeper(Parser::unary)?;
        let span = self.span_from(start);
        Ok((Expr { kind: ExprKind::Unary(op, Box::new(operand)), span }, height + 1))
    }

    /// Reads one level further down.
    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        self.depth += 1;
        self.check_depth(0, self.span())?;
        let result = rule(self)?;
        self.depth -= 1;
        Ok(result)
    }

    fn primary(&mut self) -> Result<(Expr, usize)> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Number(value) => {
                let value = *value;
                self.advance();
                ExprKind::Number(value)
            }
            Token::Fixed(word @ ("true" | "false")) => {
                let value = *word == "true";
                self.advance();
                ExprKind::Bool(value)
            }
            Token::Fixed("(") => {
                self.advance();
                let (mut inner, height) = self.deeper(|parser| parser.binary(0))?;
                self.expect(")")?;
                inner.span = self.span_from(start);
                return Ok((inner, height + 1));
            }
            Token::Name(_) => return self.reference(),
            Token::Fixed("++" | "--") => {
                let found = self.peek().describe();
                let error = Diagnostic::error(start, format!("{found} is no operator of DVE"));
                return self.fail(error.help("write `x - -1`, or `effect x = x + 1`"));
            }
            _ => return self.expected("an expression"),
        };
        Ok((Expr { kind, span: start }, 1))
    }

    /// `x`, `x[e]`, `P.s`, `P->v`, `P->v[e]`
    fn reference(&mut self) -> Result<(Expr, usize)> {
        let start = self.span();
        let name = self.name("a name")?;
        let (kind, height) = if self.eat(".") {
            (ExprKind::InState(name, self.name("a state of the process")?), 1)
        } else if self.eat("->") {
            let variable = self.name("a variable of the process")?;
            match self.index()? {
                Some((index, height)) => (ExprKind::RemoteIndex(name, variable, index), height + 1),
                None => (ExprKind::Remote(name, variable), 1),
            }
        } else {
            match self.index()? {
                Some((index, height)) => (ExprKind::Index(name, index), height + 1),
                None => (ExprKind::Name(name), 1),
            }
        };
        if self.peek_is("[") {
            let error = Diagnostic::error(self.span(), "arrays have one dimension");
            return self.fail(error);
        }
        Ok((Expr { kind, span: self.span_from(start) }, height))
    }

    fn index(&mut self) -> Result<Option<(Box<Expr>, usize)>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let (index, height) = self.deeper(|parser| parser.binary(0))?;
        self.expect("]")?;
        Ok(Some((Box::new(index), height)))
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        let Token::Fixed(text) = self.peek() else { return None };
        Some(match *text {
            "imply" => BinaryOp::Imply,
            "or" => BinaryOp::Or,
            "and" => BinaryOp::And,
            "|" => BinaryOp::BitOr,
            "&" => BinaryOp::BitAnd,
            "^" => BinaryOp::BitXor,
            "==" => BinaryOp::Equal,
            "!=" => BinaryOp::NotEqual,
            "<" => BinaryOp::Less,
            "<=" => BinaryOp::LessEqual,
            ">=" => BinaryOp::GreaterEqual,
            ">" => BinaryOp::Greater,
            "<<" => BinaryOp::ShiftLeft,
            ">>" => BinaryOp::ShiftRight,
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Subtract,
            "*" => BinaryOp::Multiply,
            "/" => BinaryOp::Divide,
            "%" => BinaryOp::Remainder,
            _ => return None,
        })
    }
}
