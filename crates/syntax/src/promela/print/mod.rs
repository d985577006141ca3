//! Prints a syntax tree as Promela that parses back to the same tree. Inline calls are printed
//! as the blocks that they expand to; inline definitions are therefore not printed.

mod decls;
mod exprs;
mod stmts;

use super::ast::*;

/// The model as Promela text.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { text: String::new(), indent: 0 };
    for item in &program.items {
        printer.item(item);
    }
    printer.text
}

struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn newline(&mut self) {
        self.text.push('\n');
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
    }

    /// The parts with a separator between them.
    fn separated<T>(&mut self, parts: &[T], separator: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.put(separator);
            }
            print(self, part);
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Vars(decl) => {
                self.var_decl(decl);
                self.put(";");
            }
            ItemKind::Mtype(decl) => {
                self.put("mtype");
                if let Some(set) = &decl.set {
                    self.put(":");
                    self.put(&set.text);
                }
                self.put(" = { ");
                self.separated(&decl.names, ", ", |p, name| p.put(&name.text));
                self.put(" };");
            }
            ItemKind::Typedef(typedef) => self.typedef(typedef),
            ItemKind::Proctype(proctype) => self.proctype(proctype),
            ItemKind::Init(init) => {
                self.put("init");
                self.priority(&init.priority);
                self.put(" ");
                self.block(&init.body);
            }
            ItemKind::Never(never) => {
                self.put("never ");
                if let Some(name) = &never.name {
                    self.put(&name.text);
                    self.put(" ");
                }
                self.block(&never.body);
            }
            ItemKind::Trace(trace) => {
                self.put(if trace.negated { "notrace " } else { "trace " });
                self.block(&trace.body);
            }
            ItemKind::Ltl(ltl) => {
                self.put("ltl ");
                if let Some(name) = &ltl.name {
                    self.put(&name.text);
                    self.put(" ");
                }
                self.put("{");
                self.put(&ltl.text);
                self.put("}");
            }
            ItemKind::Inline(_) => return,
            ItemKind::EmbeddedC(code) => self.embedded_c(code),
        }
        self.put("\n");
    }

    fn embedded_c(&mut self, code: &EmbeddedC) {
        self.put(code.kind.keyword());
        match code.kind {
            EmbeddedCKind::State | EmbeddedCKind::Track => {
                self.put(" ");
                self.put(&code.text);
            }
            _ => {
                self.put(" {");
                self.put(&code.text);
                self.put("}");
            }
        }
    }

    fn priority(&mut self, priority: &Option<IntLit>) {
        if let Some(priority) = priority {
            self.put(" priority ");
            self.int(priority);
        }
    }
}
