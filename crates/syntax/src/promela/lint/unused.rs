//! Variables that nobody reads.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::walk::{self, At, Visitor};
use crate::diagnostics::Diagnostic;
use crate::promela::ast::*;

/// A warning for each variable that is never read other than to print it.
pub(super) fn unused(program: &Program) -> Vec<Diagnostic> {
    let mut uses = Uses::new(program);
    walk::program(program, &mut uses);
    for item in &program.items {
        if let ItemKind::Ltl(ltl) = &item.kind {
            uses.in_formulas.extend(names_in(&ltl.text).map(Arc::from));
        }
    }
    let mut found = Vec::new();
    for (item, name) in &uses.declared {
        let global = matches!(program.items[*item].kind, ItemKind::Vars(_));
        let read = match global {
            true => uses.everywhere.contains(&name.text),
            false => uses.read.contains(&(*item, name.text.clone())),
        };
        if !read && !uses.in_formulas.contains(&name.text) {
            let message = format!("variable `{}` is never used", name.text);
            let note = "it is at most assigned to or printed";
            found.push(Diagnostic::warning(name.span, message).note(note));
        }
    }
    found
}

#[derive(Default)]
struct Uses {
    /// Items by the name of their proctype.
    proctypes: HashMap<Arc<str>, usize>,
    declared: Vec<(usize, Ident)>,
    /// Names, by the item that they are read in.
    read: HashSet<(usize, Arc<str>)>,
    everywhere: HashSet<Arc<str>>,
    in_formulas: HashSet<Arc<str>>,
}

impl Uses {
    fn new(program: &Program) -> Uses {
        let proctypes = program.items.iter().enumerate().filter_map(|(item, entry)| {
            let ItemKind::Proctype(proctype) = &entry.kind else { return None };
            Some((proctype.name.text.clone(), item))
        });
        Uses { proctypes: proctypes.collect(), ..Uses::default() }
    }
}

impl Visitor for Uses {
    fn declaration(&mut self, decl: &VarDecl, at: At) {
        self.declared.extend(decl.vars.iter().map(|var| (at.item, var.name.clone())));
    }

    fn read(&mut self, name: &Ident, at: At) {
        if !at.printed {
            self.read.insert((at.item, name.text.clone()));
            self.everywhere.insert(name.text.clone());
        }
    }

    fn expr(&mut self, expr: &Expr, at: At) {
        if let ExprKind::RemoteVar { proctype, var, .. } = &expr.kind
            && !at.printed
            && let Some(&item) = self.proctypes.get(&proctype.text)
        {
            self.read.insert((item, var.head().text.clone()));
        }
    }
}

fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}
