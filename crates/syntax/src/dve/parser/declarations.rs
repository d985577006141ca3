//! Models, variables, channels, the `system` line.

use super::{Parser, Reported, Result};
use crate::diagnostics::Diagnostic;
use crate::dve::ast::{
    Channel, ChannelDecl, Expr, Global, Init, Model, Process, Synchrony, System, Type, Var, VarDecl,
};
use crate::dve::lexer::Token;

const DECLARATION: [&str; 4] = ["const", "int", "byte", "channel"];

impl Parser {
    pub(crate) fn model(&mut self) -> Result<Model> {
        let globals = self.globals();
        let processes = self.processes()?;
        let system = self.system()?;
        if *self.peek() != Token::End {
            return self.expected("the end of the file behind the `system` line");
        }
        Ok(Model { globals, processes, system })
    }

    fn globals(&mut self) -> Vec<Global> {
        let mut globals = Vec::new();
        while !self.peek_in(&["process", "system"]) && *self.peek() != Token::End {
            let global = if self.peek_is("channel") {
                self.channels().map(Global::Channels)
            } else if self.peek_in(&DECLARATION) {
                self.variables().map(Global::Vars)
            } else {
                self.expected("a declaration, a `process` or the `system` line")
            };
            match global {
                Ok(global) => globals.push(global),
                Err(Reported) => self.skip_global(),
            }
        }
        globals
    }

    /// Behind a wrong declaration, stray closing brackets included.
    fn skip_global(&mut self) {
        loop {
            self.skip_to(&[";"]);
            let stray = self.peek_is("}");
            if stray || self.peek_is(";") {
                self.advance();
            }
            if !stray {
                return;
            }
        }
    }

    fn processes(&mut self) -> Result<Vec<Process>> {
        let mut processes = Vec::new();
        let mut failed = false;
        loop {
            if self.peek_is("process") {
                match self.process() {
                    Ok(process) => processes.push(process),
                    Err(Reported) => failed = true,
                }
            } else if self.peek_is("system") {
                break;
            } else if *self.peek() == Token::End {
                return self.expected("a `process` or the `system` line");
            } else if self.peek_in(&DECLARATION) {
                let error = Diagnostic::error(self.span(), "declaration behind a process")
                    .help("global variables and channels stand before the first process");
                self.errors.push(error);
                self.skip_global();
                failed = true;
            } else {
                let _: Result<()> = self.expected("a `process` or the `system` line");
                self.advance();
                self.skip_to(&[]);
                while self.peek_is("}") {
                    self.advance();
                    self.skip_to(&[]);
                }
                failed = true;
            }
        }
        if processes.is_empty() && !failed && self.errors.is_empty() {
            let error = Diagnostic::error(self.span(), "a model needs at least one process");
            return self.fail(error);
        }
        Ok(processes)
    }

    /// `[const] (int | byte) item, item;`
    pub(super) fn variables(&mut self) -> Result<VarDecl> {
        let start = self.span();
        let is_const = self.eat("const");
        let ty = self.type_name()?;
        let mut vars = vec![self.variable()?];
        while self.eat(",") {
            vars.push(self.variable()?);
        }
        self.expect(";")?;
        Ok(VarDecl { is_const, ty, vars, span: self.span_from(start) })
    }

    fn type_name(&mut self) -> Result<Type> {
        if self.eat("int") {
            Ok(Type::Int)
        } else if self.eat("byte") {
            Ok(Type::Byte)
        } else {
            self.expected("`int` or `byte`")
        }
    }

    fn variable(&mut self) -> Result<Var> {
        let name = self.name("the name of a variable")?;
        let mut size = None;
        if self.eat("[") {
            size = Some(self.literal("a number: the size of an array is no expression")?);
            self.expect("]")?;
        }
        let init = if self.eat("=") { Some(self.initialiser()?) } else { None };
        match (&size, &init) {
            (Some(_), Some(Init::Value(value))) => {
                let error = Diagnostic::error(value.span, "an array is initialised by a list")
                    .help("write `{ … }`");
                return self.fail(error);
            }
            (None, Some(Init::List(_, span))) => {
                let error = Diagnostic::error(*span, "a list initialises arrays only");
                return self.fail(error.also(name.span, "this is no array"));
            }
            _ => {}
        }
        Ok(Var { name, size, init })
    }

    fn initialiser(&mut self) -> Result<Init> {
        let start = self.span();
        if !self.peek_is("{") {
            return self.expression().map(Init::Value);
        }
        let list = self.braced_list()?;
        Ok(Init::List(list, self.span_from(start)))
    }

    /// `{ e, e }`
    pub(super) fn braced_list(&mut self) -> Result<Vec<Expr>> {
        self.in_braces(Parser::expression)
    }

    /// `{ item, item }`; behind an error it goes on behind the brace.
    fn in_braces<T>(&mut self, item: impl Fn(&mut Parser) -> Result<T>) -> Result<Vec<T>> {
        self.expect("{")?;
        let list = |parser: &mut Parser| {
            let mut list = vec![item(parser)?];
            while parser.eat(",") {
                list.push(item(parser)?);
            }
            parser.expect("}")?;
            Ok(list)
        };
        let list = list(self);
        if list.is_err() {
            self.skip_to(&["}", ";"]);
            self.eat("}");
        }
        list
    }

    fn channels(&mut self) -> Result<ChannelDecl> {
        let start = self.span();
        self.expect("channel")?;
        let mut types = None;
        if self.peek_in(&["byte", "int"]) {
            let error = Diagnostic::error(self.span(), "the types of a channel stand in braces");
            return self.fail(error.help("write `channel {byte} c[1];`"));
        }
        if self.peek_is("{") {
            types = Some(self.in_braces(Parser::type_name)?);
        }
        let mut channels = Vec::new();
        loop {
            channels.push(self.channel(types.is_some())?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(ChannelDecl { types, channels, span: self.span_from(start) })
    }

    fn channel(&mut self, typed: bool) -> Result<Channel> {
        let name = self.name("the name of a channel")?;
        if !typed {
            if self.peek_is("[") {
                let error = Diagnostic::error(self.span(), "an untyped channel has no size")
                    .help("give the types of its values: `channel {byte} c[1];`");
                return self.fail(error);
            }
            return Ok(Channel { name, capacity: None });
        }
        self.expect("[")?;
        let capacity = self.literal("the size of the channel, a number")?;
        self.expect("]")?;
        Ok(Channel { name, capacity: Some(capacity) })
    }

    fn system(&mut self) -> Result<System> {
        let start = self.span();
        self.expect("system")?;
        let synchrony = if self.eat("async") {
            Synchrony::Async
        } else if self.eat("sync") {
            Synchrony::Sync
        } else {
            return self.expected("`async` or `sync`");
        };
        let property =
            if self.eat("property") { Some(self.name("the property process")?) } else { None };
        self.expect(";")?;
        Ok(System { synchrony, property, span: self.span_from(start) })
    }
}
