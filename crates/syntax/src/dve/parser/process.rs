//! Processes: states, their marks, assertions, transitions.

use super::{Parser, Reported, Result};
use crate::diagnostics::{Diagnostic, Span};
use crate::dve::ast::{
    Accept, Assert, Assignment, Direction, Expr, ExprKind, Ident, Process, Sync, Transition,
    VarDecl,
};
use crate::dve::lexer::Token;

/// `init`, `commit` and `accept` of a process.
struct Marks {
    init: Ident,
    commit: Vec<Ident>,
    accept: Option<Accept>,
}

impl Parser {
    /// On errors the process is skipped to its closing brace.
    pub(super) fn process(&mut self) -> Result<Process> {
        let start = self.span();
        self.expect("process")?;
        let name = self.name("the name of the process");
        if name.is_err() {
            self.skip_to(&["{"]);
        }
        // Without its brace the body is still read.
        let brace = self.expect("{");
        let errors = self.errors.len();
        let body = self.process_body();
        // Even a body with errors ends at its brace.
        if !self.peek_is("}") {
            if self.errors.len() == errors {
                let _: Result<()> = self.after_body();
            }
            while *self.peek() != Token::End && !self.peek_in(&["process", "system", "}"]) {
                self.skip_to(&[]);
            }
        }
        self.eat("}");
        let (vars, states, marks, asserts, transitions) = body?;
        if self.errors.len() > errors {
            return Err(Reported);
        }
        let Marks { init, commit, accept } = marks;
        let span = self.span_from(start);
        let name = name?;
        brace?;
        Ok(Process { name, vars, states, init, commit, accept, asserts, transitions, span })
    }

    /// Says what is wrong behind the last clause of a process.
    fn after_body(&mut self) -> Result<()> {
        let clause = match self.peek() {
            Token::Fixed("trans") => "a process has one `trans` list only",
            Token::Fixed("assert") => "`assert` comes behind `init` and before `trans`",
            Token::Fixed("init" | "commit" | "accept" | "state") => {
                "the clauses of a process come in the order variables, `state`, \
                 `init` with `commit` and `accept` together before or behind it, `assert`, `trans`"
            }
            _ => return self.expected("`trans` or `}`"),
        };
        let error = Diagnostic::error(self.span(), clause);
        self.fail(error)
    }

    #[allow(clippy::type_complexity, reason = "the parts of one struct")]
    fn process_body(
        &mut self,
    ) -> Result<(Vec<VarDecl>, Vec<Ident>, Marks, Vec<Assert>, Vec<Transition>)> {
        let mut vars = Vec::new();
        while self.peek_in(&["const", "int", "byte"]) {
            match self.variables() {
                Ok(decl) => vars.push(decl),
                Err(Reported) => self.skip_statement(),
            }
        }
        if self.peek_is("channel") {
            let error = Diagnostic::error(self.span(), "channels are global")
                .help("declare it before the first process");
            self.errors.push(error);
            self.skip_statement();
        }
        let states = self.states();
        let marks = self.marks();
        if marks.is_err() {
            self.skip_to(&["assert", "trans"]);
        }
        let asserts = if self.peek_is("assert") { self.asserts() } else { Vec::new() };
        let transitions = if self.peek_is("trans") { self.transitions() } else { Vec::new() };
        Ok((vars, states?, marks?, asserts, transitions))
    }

    fn states(&mut self) -> Result<Vec<Ident>> {
        let clause = |parser: &mut Parser| {
            parser.expect("state")?;
            let states = parser.names("the name of a state")?;
            parser.expect(";")?;
            Ok(states)
        };
        let states = clause(self);
        if states.is_err() {
            self.skip_to(&[";", "init", "accept", "commit", "trans"]);
            self.eat(";");
        }
        states
    }

    /// `init`, with `commit` and `accept` in any order, both before or both behind it.
    fn marks(&mut self) -> Result<Marks> {
        let (mut commit, mut accept) = (Vec::new(), None);
        self.commit_accept(&mut commit, &mut accept)?;
        let before = !commit.is_empty() || accept.is_some();
        self.expect("init")?;
        let init = self.name("the initial state")?;
        self.expect(";")?;
        if before && self.peek_in(&["commit", "accept"]) {
            let error = Diagnostic::error(
                self.span(),
                "`commit` and `accept` stand together, before or behind `init`",
            );
            return self.fail(error);
        }
        self.commit_accept(&mut commit, &mut accept)?;
        Ok(Marks { init, commit, accept })
    }

    fn commit_accept(
        &mut self,
        commit: &mut Vec<Ident>,
        accept: &mut Option<Accept>,
    ) -> Result<()> {
        loop {
            let span = self.span();
            if self.eat("commit") {
                if !commit.is_empty() {
                    return self.fail(Diagnostic::error(span, "a second `commit`"));
                }
                *commit = self.names("the name of a state")?;
            } else if self.eat("accept") {
                if accept.is_some() {
                    return self.fail(Diagnostic::error(span, "a second `accept`"));
                }
                *accept = Some(self.acceptance(span)?);
            } else {
                return Ok(());
            }
            self.expect(";")?;
        }
    }

    fn acceptance(&mut self, accept: Span) -> Result<Accept> {
        if let Token::Fixed(word @ ("muller" | "rabin" | "streett")) = *self.peek() {
            let error = Diagnostic::error(
                self.span(),
                format!("`accept {word}` is not supported: only Büchi acceptance is"),
            );
            return self.fail(error.also(accept, "acceptance of a property process"));
        }
        if self.eat("genbuchi") {
            let mut sets = Vec::new();
            loop {
                self.expect("(")?;
                sets.push(self.names("the name of a state")?);
                self.expect(")")?;
                if !self.eat(",") {
                    return Ok(Accept::GenBuchi(sets));
                }
            }
        }
        self.eat("buchi");
        Ok(Accept::Buchi(self.names("the name of a state")?))
    }

    fn asserts(&mut self) -> Vec<Assert> {
        let clause = |parser: &mut Parser| {
            parser.expect("assert")?;
            let mut asserts = vec![parser.assertion()?];
            while parser.eat(",") {
                asserts.push(parser.assertion()?);
            }
            parser.expect(";")?;
            Ok(asserts)
        };
        clause(self).unwrap_or_else(|Reported| {
            self.skip_statement();
            Vec::new()
        })
    }

    fn assertion(&mut self) -> Result<Assert> {
        let state = self.name("the name of a state")?;
        self.expect(":")?;
        Ok(Assert { state, condition: self.expression()? })
    }

    /// `trans a -> b { … }, -> c { … };`
    fn transitions(&mut self) -> Vec<Transition> {
        self.advance();
        let errors = self.errors.len();
        let mut transitions: Vec<Transition> = Vec::new();
        loop {
            let source = transitions.last().map(|last| last.source.clone());
            match self.transition(source) {
                Ok(transition) => transitions.push(transition),
                Err(Reported) => self.skip_to(&[",", ";"]),
            }
            if !self.eat(",") {
                break;
            }
        }
        // Behind a wrong transition the `;` may have been skipped.
        if !self.eat(";") && self.errors.len() == errors {
            let _: Result<()> = self.expect(";");
        }
        transitions
    }

    fn transition(&mut self, previous: Option<Ident>) -> Result<Transition> {
        let start = self.span();
        let source = match (self.peek_is("->"), previous) {
            (true, Some(previous)) => previous,
            (true, None) => {
                let error = Diagnostic::error(start, "the first transition needs a source state");
                return self.fail(error);
            }
            (false, _) => self.name("the source state of a transition")?,
        };
        if self.peek_is("=>") {
            let error = Diagnostic::error(self.span(), "probabilistic transitions");
            return self.fail(error.note("lariat reads the DVE of DiVinE 2 without probabilities"));
        }
        self.expect("->")?;
        let target = self.name("the target state")?;
        self.expect("{")?;
        let body = self.transition_body();
        if body.is_err() {
            while !self.peek_in(&["}", "process", "system"]) && *self.peek() != Token::End {
                self.skip_to(&["}"]);
            }
        }
        self.expect("}")?;
        let (guard, sync, effects) = body?;
        Ok(Transition { source, target, guard, sync, effects, span: self.span_from(start) })
    }

    fn transition_body(&mut self) -> Result<(Option<Expr>, Option<Sync>, Vec<Assignment>)> {
        let mut guard = None;
        if self.eat("guard") {
            guard = Some(self.expression()?);
            if self.peek_is("=") {
                let error = Diagnostic::error(self.span(), "a guard assigns nothing");
                return self.fail(error.help("compare by `==`"));
            }
            self.expect(";")?;
        }
        let sync = if self.peek_is("sync") { Some(self.synchronisation()?) } else { None };
        let mut effects = Vec::new();
        if self.eat("effect") {
            effects.push(self.assignment()?);
            while self.eat(",") {
                effects.push(self.assignment()?);
            }
            self.expect(";")?;
        }
        if self.peek_in(&["guard", "sync", "effect"]) {
            let error = Diagnostic::error(
                self.span(),
                "a transition has at most one `guard`, one `sync`, one `effect`, in this order",
            );
            return self.fail(error);
        }
        Ok((guard, sync, effects))
    }

    fn synchronisation(&mut self) -> Result<Sync> {
        self.expect("sync")?;
        let start = self.span();
        let channel = self.name("the name of a channel")?;
        let direction = if self.eat("!") {
            Direction::Send
        } else if self.eat("?") {
            Direction::Receive
        } else {
            return self.expected("`!` or `?`");
        };
        let braces = self.peek_is("{");
        let values = if braces {
            self.braced_list()?
        } else if self.peek_is(";") {
            Vec::new()
        } else {
            vec![self.expression()?]
        };
        if direction == Direction::Receive {
            for value in &values {
                self.assignable(value, "a value is received into a variable")?;
            }
        }
        let span = self.span_from(start);
        self.expect(";")?;
        Ok(Sync { channel, direction, values, braces, span })
    }

    fn assignment(&mut self) -> Result<Assignment> {
        let start = self.span();
        let target = self.expression()?;
        if self.peek_in(&["++", "--"]) {
            let error = Diagnostic::error(self.span(), "DVE has no increment operator");
            return self.fail(error.help("write `x = x + 1`"));
        }
        if !self.peek_is("=") {
            return self.expected("`=`");
        }
        self.assignable(&target, "only variables can be assigned to")?;
        self.expect("=")?;
        let value = self.expression()?;
        if self.peek_is("=") {
            let error = Diagnostic::error(self.span(), "an assignment has no value")
                .help("write two assignments, with `,` between them");
            return self.fail(error);
        }
        Ok(Assignment { target, value, span: self.span_from(start) })
    }

    fn assignable(&mut self, target: &Expr, message: &str) -> Result<()> {
        let error = match target.kind {
            ExprKind::Name(_) | ExprKind::Index(..) => return Ok(()),
            ExprKind::Remote(..) | ExprKind::RemoteIndex(..) => {
                Diagnostic::error(target.span, "variables of other processes are read-only")
            }
            _ => Diagnostic::error(target.span, message),
        };
        self.fail(error.label("expected a variable or an element of an array"))
    }
}
