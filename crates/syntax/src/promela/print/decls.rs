//! Declarations and proctypes.

use super::Printer;
use crate::promela::ast::*;

impl Printer {
    pub(super) fn proctype(&mut self, proctype: &Proctype) {
        if let Some(active) = &proctype.active {
            self.put("active ");
            if let Some(count) = &active.count {
                self.put("[");
                self.expr(count);
                self.put("] ");
            }
        }
        self.put(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.put(&proctype.name.text);
        self.put("(");
        self.separated(&proctype.params, "; ", |p, group| p.var_decl(group));
        self.put(")");
        self.priority(&proctype.priority);
        if let Some(condition) = &proctype.provided {
            self.put(" provided (");
            self.expr(condition);
            self.put(")");
        }
        self.put(" ");
        self.block(&proctype.body);
    }

    pub(super) fn typedef(&mut self, typedef: &Typedef) {
        self.put("typedef ");
        self.put(&typedef.name.text);
        self.put(" {");
        self.indent += 1;
        for field in &typedef.fields {
            self.newline();
            self.var_decl(field);
            self.put(";");
        }
        self.indent -= 1;
        self.newline();
        self.put("};");
    }

    pub(super) fn var_decl(&mut self, decl: &VarDecl) {
        self.put(match decl.visibility {
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
            None => "",
        });
        self.type_name(&decl.ty);
        self.put(" ");
        self.separated(&decl.vars, ", ", |p, var| p.declarator(var));
    }

    fn type_name(&mut self, ty: &TypeName) {
        let word = match &ty.kind {
            TypeKind::Bit => "bit",
            TypeKind::Bool => "bool",
            TypeKind::Byte => "byte",
            TypeKind::Short => "short",
            TypeKind::Int => "int",
            TypeKind::Unsigned => "unsigned",
            TypeKind::Pid => "pid",
            TypeKind::Chan => "chan",
            TypeKind::Mtype(None) => "mtype",
            TypeKind::Mtype(Some(set)) => {
                self.put("mtype:");
                &set.text
            }
            TypeKind::User(name) => &name.text,
        };
        self.put(word);
    }

    fn declarator(&mut self, var: &Declarator) {
        self.put(&var.name.text);
        if let Some(width) = &var.width {
            self.put(" : ");
            self.int(width);
        }
        if let Some(length) = &var.array {
            self.put("[");
            self.expr(length);
            self.put("]");
        }
        match &var.init {
            None => {}
            Some(Initialiser::Expr(value)) => {
                self.put(" = ");
                self.expr(value);
            }
            Some(Initialiser::List(values)) => {
                self.put(" = { ");
                self.separated(values, ", ", |p, value| p.int(value));
                self.put(" }");
            }
            Some(Initialiser::Chan(chan)) => {
                self.put(" = [");
                self.expr(&chan.capacity);
                self.put("] of { ");
                self.separated(&chan.fields, ", ", |p, field| p.type_name(field));
                self.put(" }");
            }
        }
    }
}
