//! Statements, one to a line.

use super::Printer;
use crate::promela::ast::*;

impl Printer {
    pub(super) fn block(&mut self, block: &Block) {
        self.put("{");
        self.indent += 1;
        for stmt in &block.stmts {
            self.newline();
            self.stmt(stmt);
            self.put(";");
        }
        self.indent -= 1;
        self.newline();
        self.put("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        for label in &stmt.labels {
            self.put(&label.text);
            self.put(": ");
        }
        match &stmt.kind {
            StmtKind::Decl(decl) => self.var_decl(decl),
            StmtKind::Exclusive(exclusive) => {
                self.put(match exclusive.kind {
                    ExclusiveKind::Receive => "xr ",
                    ExclusiveKind::Send => "xs ",
                });
                self.separated(&exclusive.channels, ", ", |p, channel| p.var_ref(channel));
            }
            StmtKind::Unless { main, escape } => {
                self.stmt(main);
                self.put(" unless ");
                self.stmt(escape);
            }
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Else => self.put("else"),
            StmtKind::Empty => {}
            StmtKind::Assign { target, value } => {
                self.var_ref(target);
                self.put(" = ");
                self.expr(value);
            }
            StmtKind::Increment(var) => {
                self.var_ref(var);
                self.put("++");
            }
            StmtKind::Decrement(var) => {
                self.var_ref(var);
                self.put("--");
            }
            StmtKind::Send(send) => {
                self.var_ref(&send.channel);
                self.put(if send.sorted { "!!" } else { "!" });
                self.separated(&send.args, ", ", |p, arg| p.expr(arg));
            }
            StmtKind::Receive(receive) => {
                self.var_ref(&receive.channel);
                self.put(if receive.random { "??" } else { "?" });
                self.put(if receive.peek { "<" } else { "" });
                self.receive_args(&receive.args);
                self.put(if receive.peek { ">" } else { "" });
            }
            StmtKind::If(choices) => self.choices("if", choices, "fi"),
            StmtKind::Do(choices) => self.choices("do", choices, "od"),
            StmtKind::For(each) => self.for_loop(each),
            StmtKind::Select(select) => self.select(select),
            StmtKind::Atomic(block) => {
                self.put("atomic ");
                self.block(block);
            }
            StmtKind::DStep(block) => {
                self.put("d_step ");
                self.block(block);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Inline(call) => {
                self.put(&format!("/* {} */ ", call.name.text));
                self.block(&call.body);
            }
            StmtKind::Break => self.put("break"),
            StmtKind::Goto(label) => {
                self.put("goto ");
                self.put(&label.text);
            }
            StmtKind::Assert(condition) => {
                self.put("assert(");
                self.expr(condition);
                self.put(")");
            }
            StmtKind::Printf(printf) => {
                self.put("printf(");
                self.put(&printf.format.text);
                for arg in &printf.args {
                    self.put(", ");
                    self.expr(arg);
                }
                self.put(")");
            }
            StmtKind::Printm(value) => {
                self.put("printm(");
                self.expr(value);
                self.put(")");
            }
            StmtKind::SetPriority { pid, value } => {
                self.put("set_priority(");
                self.expr(pid);
                self.put(", ");
                self.expr(value);
                self.put(")");
            }
            StmtKind::EmbeddedC(code) => self.embedded_c(code),
        }
    }

    fn choices(&mut self, open: &str, choices: &[Choice], close: &str) {
        self.put(open);
        for choice in choices {
            self.newline();
            self.put(":: ");
            self.indent += 1;
            for (at, stmt) in choice.stmts.iter().enumerate() {
                if at > 0 {
                    self.newline();
                }
                self.stmt(stmt);
                self.put(";");
            }
            self.indent -= 1;
        }
        self.newline();
        self.put(close);
    }

    fn for_loop(&mut self, each: &For) {
        self.put("for (");
        self.var_ref(&each.var);
        match &each.range {
            ForRange::Bounds { from, to } => {
                self.put(" : ");
                self.expr(from);
                self.put(" .. ");
                self.expr(to);
            }
            ForRange::In(over) => {
                self.put(" in ");
                self.var_ref(over);
            }
        }
        self.put(") ");
        self.block(&each.body);
    }

    /// Parentheses keep Spin's lexer from taking the other expansion.
    fn select(&mut self, select: &Select) {
        self.put("select (");
        self.var_ref(&select.var);
        self.put(if select.as_choice { " : " } else { " : (" });
        self.expr(&select.from);
        self.put(if select.as_choice { " .. " } else { ") .. " });
        self.expr(&select.to);
        self.put(")");
    }
}
