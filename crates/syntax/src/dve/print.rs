//! The tree back to text; reading it again gives the same tree.

use std::fmt::Write;

use super::ast::{
    Accept, ChannelDecl, Direction, Expr, ExprKind, Global, Ident, Init, Model, Process, Sync,
    Synchrony, Transition, Type, UnaryOp, VarDecl,
};

/// The whole model.
pub fn print(model: &Model) -> String {
    let mut out = String::new();
    for global in &model.globals {
        match global {
            Global::Vars(decl) => variables(&mut out, decl),
            Global::Channels(decl) => channels(&mut out, decl),
        }
    }
    for item in &model.processes {
        process(&mut out, item);
    }
    out.push_str(match model.system.synchrony {
        Synchrony::Async => "\nsystem async",
        Synchrony::Sync => "\nsystem sync",
    });
    if let Some(property) = &model.system.property {
        out.push_str(" property ");
        out.push_str(&property.text);
    }
    out.push_str(";\n");
    out
}

/// What stands between the braces of a transition, for traces.
pub fn print_transition(transition: &Transition) -> String {
    let mut out = String::new();
    if let Some(guard) = &transition.guard {
        out.push_str("guard ");
        expression(&mut out, guard, 0);
        out.push_str("; ");
    }
    if let Some(sync) = &transition.sync {
        out.push_str("sync ");
        synchronisation(&mut out, sync);
        out.push_str("; ");
    }
    for (i, effect) in transition.effects.iter().enumerate() {
        out.push_str(if i == 0 { "effect " } else { ", " });
        expression(&mut out, &effect.target, 0);
        out.push_str(" = ");
        expression(&mut out, &effect.value, 0);
    }
    if !transition.effects.is_empty() {
        out.push_str("; ");
    }
    out.truncate(out.trim_end().len());
    out
}

fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Byte => "byte",
        Type::Int => "int",
    }
}

fn variables(out: &mut String, decl: &VarDecl) {
    if decl.is_const {
        out.push_str("const ");
    }
    out.push_str(type_name(decl.ty));
    for (i, var) in decl.vars.iter().enumerate() {
        out.push_str(if i == 0 { " " } else { ", " });
        out.push_str(&var.name.text);
        if let Some(size) = &var.size {
            let _ = write!(out, "[{}]", size.value);
        }
        match &var.init {
            None => {}
            Some(Init::Value(value)) => {
                out.push_str(" = ");
                expression(out, value, 0);
            }
            Some(Init::List(values, _)) => {
                out.push_str(" = ");
                braced(out, values);
            }
        }
    }
    out.push_str(";\n");
}

fn channels(out: &mut String, decl: &ChannelDecl) {
    out.push_str("channel");
    if let Some(types) = &decl.types {
        let types: Vec<&str> = types.iter().map(|ty| type_name(*ty)).collect();
        let _ = write!(out, " {{{}}}", types.join(", "));
    }
    for (i, channel) in decl.channels.iter().enumerate() {
        out.push_str(if i == 0 { " " } else { ", " });
        out.push_str(&channel.name.text);
        if let Some(capacity) = &channel.capacity {
            let _ = write!(out, "[{}]", capacity.value);
        }
    }
    out.push_str(";\n");
}

fn names(names: &[Ident]) -> String {
    let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
    names.join(", ")
}

fn process(out: &mut String, process: &Process) {
    let _ = writeln!(out, "\nprocess {} {{", process.name.text);
    for decl in &process.vars {
        variables(out, decl);
    }
    let _ = writeln!(out, "state {};", names(&process.states));
    let _ = writeln!(out, "init {};", process.init.text);
    if !process.commit.is_empty() {
        let _ = writeln!(out, "commit {};", names(&process.commit));
    }
    match &process.accept {
        None => {}
        Some(Accept::Buchi(states)) => {
            let _ = writeln!(out, "accept {};", names(states));
        }
        Some(Accept::GenBuchi(sets)) => {
            let sets: Vec<String> = sets.iter().map(|set| format!("({})", names(set))).collect();
            let _ = writeln!(out, "accept genbuchi {};", sets.join(", "));
        }
    }
    for (i, assert) in process.asserts.iter().enumerate() {
        out.push_str(if i == 0 { "assert " } else { ",\n    " });
        let _ = write!(out, "{}: ", assert.state.text);
        expression(out, &assert.condition, 0);
    }
    if !process.asserts.is_empty() {
        out.push_str(";\n");
    }
    for (i, item) in process.transitions.iter().enumerate() {
        out.push_str(if i == 0 { "trans\n    " } else { ",\n    " });
        let body = print_transition(item);
        let gap = if body.is_empty() { "" } else { " " };
        let (source, target) = (&item.source.text, &item.target.text);
        let _ = write!(out, "{source} -> {target} {{{gap}{body}{gap}}}");
    }
    if !process.transitions.is_empty() {
        out.push_str(";\n");
    }
    out.push_str("}\n");
}

fn synchronisation(out: &mut String, sync: &Sync) {
    out.push_str(&sync.channel.text);
    out.push(match sync.direction {
        Direction::Send => '!',
        Direction::Receive => '?',
    });
    match &*sync.values {
        [value] if !sync.braces => expression(out, value, 0),
        [] => {}
        values => braced(out, values),
    }
}

fn braced(out: &mut String, values: &[Expr]) {
    for (i, value) in values.iter().enumerate() {
        out.push_str(if i == 0 { "{" } else { ", " });
        expression(out, value, 0);
    }
    out.push('}');
}

/// Binds tighter than all binary operators.
const UNARY: u8 = 9;

/// Writes `expr`, in parentheses if its operator binds less tight than `floor`.
fn expression(out: &mut String, expr: &Expr, floor: u8) {
    match &expr.kind {
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Number(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Name(name) => out.push_str(&name.text),
        ExprKind::Index(name, index) => {
            out.push_str(&name.text);
            indexed(out, index);
        }
        ExprKind::InState(process, state) => {
            let _ = write!(out, "{}.{}", process.text, state.text);
        }
        ExprKind::Remote(process, variable) => {
            let _ = write!(out, "{}->{}", process.text, variable.text);
        }
        ExprKind::RemoteIndex(process, variable, index) => {
            let _ = write!(out, "{}->{}", process.text, variable.text);
            indexed(out, index);
        }
        ExprKind::Unary(op, operand) => {
            out.push_str(op.symbol());
            // `--` would be one token, `notx` one name.
            let doubled = matches!(operand.kind, ExprKind::Unary(UnaryOp::Negate, _));
            if *op == UnaryOp::Not || (*op == UnaryOp::Negate && doubled) {
                out.push(' ');
            }
            expression(out, operand, UNARY);
        }
        ExprKind::Binary(op, left, right) => {
            let level = op.precedence();
            if level < floor {
                out.push('(');
            }
            expression(out, left, level);
            let _ = write!(out, " {} ", op.symbol());
            expression(out, right, level + 1);
            if level < floor {
                out.push(')');
            }
        }
    }
}

fn indexed(out: &mut String, index: &Expr) {
    out.push('[');
    expression(out, index, 0);
    out.push(']');
}
