//! What the names of a DVE model mean.

use std::collections::HashMap;
use std::sync::Arc;

use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::dve::ast::Ident;

use crate::ir::{LocationId, ProctypeId, Region, Scalar};

/// A variable or constant.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub span: Span,
    pub scalar: Scalar,
    /// The number of elements, if it is an array.
    pub count: Option<u32>,
    /// The values of all elements at the start.
    pub initial: Vec<i32>,
    pub storage: Storage,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Not part of the state.
    Const,
    At(Region, u32),
}

/// A channel.
#[derive(Clone, Debug)]
pub struct ChannelSymbol {
    pub span: Span,
    pub kind: ChannelKind,
    /// The types of the values, of a typed channel.
    pub types: Option<Vec<Scalar>>,
    /// How many values the first use has, and where it is; all others have as many.
    pub arity: Option<(usize, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelKind {
    /// Sender and receiver move together; numbered from 0.
    Rendezvous(u16),
    /// A queue in the state; numbered from 0.
    Buffered(u8),
}

/// A process, as other processes see it.
#[derive(Clone, Debug)]
pub struct ProcessSymbol {
    pub span: Span,
    pub proctype: ProctypeId,
    /// Which process of the state it is; none if it is a property that watches from outside.
    pub pid: Option<u8>,
    pub states: HashMap<Arc<str>, LocationId>,
    pub vars: HashMap<Arc<str>, Symbol>,
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub globals: HashMap<Arc<str>, Symbol>,
    pub channels: HashMap<Arc<str>, ChannelSymbol>,
    pub processes: HashMap<Arc<str>, ProcessSymbol>,
}

impl Names {
    /// A variable as seen by a process, or from outside.
    pub fn variable(&self, name: &str, process: Option<&str>) -> Option<&Symbol> {
        process
            .and_then(|process| self.processes.get(process)?.vars.get(name))
            .or_else(|| self.globals.get(name))
    }

    /// Why a name is no variable.
    pub fn no_variable(&self, name: &Ident) -> Diagnostic {
        let text = &name.text;
        let error = Diagnostic::error(name.span, format!("there is no variable `{text}`"));
        if let Some(channel) = self.channels.get(text) {
            return error.also(channel.span, "this is a channel");
        }
        if let Some(process) = self.processes.get(text) {
            let help = format!(
                "`{text}->x` is its variable x; in a formula `->` is implication, so name the \
                 expression: --bind 'p={text}->x == 0' --ltl '[] p'"
            );
            return error.also(process.span, "this is a process").help(help);
        }
        error
    }
}

/// Adds a name to a scope, or says that it is there already.
pub(super) fn declare<T>(
    scope: &mut HashMap<Arc<str>, T>,
    name: &Ident,
    symbol: T,
    span_of: impl Fn(&T) -> Span,
) -> Result<(), Diagnostic> {
    if let Some(first) = scope.get(&name.text) {
        let error = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text));
        return Err(error.also(span_of(first), "first declared here"));
    }
    scope.insert(name.text.clone(), symbol);
    Ok(())
}
