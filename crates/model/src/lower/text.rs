//! Statements as the user sees them in traces.

use std::fmt::Write;

use lariat_syntax::promela::ast::{
    BinaryOp, Declarator, Expr, ExprKind, Initialiser, IntForm, IntLit, ProbeKind, ReceiveArg,
    Stmt, StmtKind, UnaryOp, VarRef,
};

/// A statement on one line; blocks by their keyword only.
pub(super) fn statement(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Expr(value) => expr(value),
        StmtKind::Else => "else".into(),
        StmtKind::Assign { target, value } => format!("{} = {}", var(target), expr(value)),
        StmtKind::Increment(target) => format!("{}++", var(target)),
        StmtKind::Decrement(target) => format!("{}--", var(target)),
        StmtKind::Send(send) => {
            let op = if send.sorted { "!!" } else { "!" };
            format!("{}{op}{}", var(&send.channel), list(&send.args))
        }
        StmtKind::Receive(receive) => {
            let op = if receive.random { "??" } else { "?" };
            let args = receive_args(&receive.args);
            match receive.peek {
                true => format!("{}{op}<{args}>", var(&receive.channel)),
                false => format!("{}{op}{args}", var(&receive.channel)),
            }
        }
        StmtKind::Break => "break".into(),
        StmtKind::Goto(label) => format!("goto {}", label.text),
        StmtKind::Assert(condition) => format!("assert({})", expr(condition)),
        StmtKind::Printf(printf) => {
            let mut text = format!("printf({}", printf.format.text);
            for arg in &printf.args {
                text.push_str(", ");
                text.push_str(&expr(arg));
            }
            text.push(')');
            text
        }
        StmtKind::Printm(value) => format!("printm({})", expr(value)),
        StmtKind::SetPriority { pid, value } => {
            format!("set_priority({}, {})", expr(pid), expr(value))
        }
        StmtKind::DStep(block) => {
            let mut inner = block.stmts.iter().map(statement).filter(|text| !text.is_empty());
            let first = inner.next().unwrap_or_default();
            match inner.next() {
                Some(_) => format!("d_step {{ {first}; … }}"),
                None => format!("d_step {{ {first} }}"),
            }
        }
        StmtKind::Atomic(_) => "atomic".into(),
        StmtKind::If(_) => "if".into(),
        StmtKind::Do(_) => "do".into(),
        StmtKind::For(_) => "for".into(),
        StmtKind::Select(_) => "select".into(),
        StmtKind::Empty => "skip".into(),
        StmtKind::Decl(_)
        | StmtKind::Exclusive(_)
        | StmtKind::Unless { .. }
        | StmtKind::Block(_)
        | StmtKind::Inline(_)
        | StmtKind::EmbeddedC(_) => String::new(),
    }
}

/// A declaration that is a step.
pub(super) fn declaration(declarator: &Declarator) -> String {
    let name = &declarator.name.text;
    match &declarator.init {
        Some(Initialiser::Expr(value)) => format!("{name} = {}", expr(value)),
        _ => format!("{name} = 0"),
    }
}

pub(super) fn var(var: &VarRef) -> String {
    let mut text = String::new();
    for (at, segment) in var.path.iter().enumerate() {
        if at > 0 {
            text.push('.');
        }
        text.push_str(&segment.name.text);
        if let Some(index) = &segment.index {
            // Writing to a String cannot fail.
            let _ = write!(text, "[{}]", expr(index));
        }
    }
    text
}

fn list(args: &[Expr]) -> String {
    let args: Vec<String> = args.iter().map(expr).collect();
    args.join(",")
}

fn receive_args(args: &[ReceiveArg]) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|arg| match arg {
            ReceiveArg::Var(place) => var(place),
            ReceiveArg::Any(_) => "_".into(),
            ReceiveArg::Eval(value) => format!("eval({})", expr(value)),
            ReceiveArg::Const(literal) => integer(literal),
        })
        .collect();
    args.join(",")
}

fn integer(literal: &IntLit) -> String {
    match literal.form {
        IntForm::True => "true".into(),
        IntForm::False => "false".into(),
        IntForm::Skip => "skip".into(),
        IntForm::Character | IntForm::Decimal => literal.value.to_string(),
    }
}

pub(super) fn expr(expression: &Expr) -> String {
    print(expression, 0)
}

/// How tightly an operator binds, C's order.
fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 1,
        BinaryOp::And => 2,
        BinaryOp::BitOr => 3,
        BinaryOp::BitXor => 4,
        BinaryOp::BitAnd => 5,
        BinaryOp::Equal | BinaryOp::NotEqual => 6,
        BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessEqual | BinaryOp::GreaterEqual => 7,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 8,
        BinaryOp::Add | BinaryOp::Subtract => 9,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 10,
    }
}

// Recursion is as deep as the expression, which the parser limits.
fn print(expression: &Expr, outer: u8) -> String {
    match &expression.kind {
        ExprKind::Int(literal) => integer(literal),
        ExprKind::Var(place) => var(place),
        ExprKind::Unary { op, operand } => {
            let op = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            format!("{op}{}", print(operand, 11))
        }
        ExprKind::Binary { op, left, right } => {
            let own = precedence(*op);
            let text = format!("{} {} {}", print(left, own), op.symbol(), print(right, own + 1));
            if own < outer { format!("({text})") } else { text }
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} -> {} : {})", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Run { proctype, args, .. } => format!("run {}({})", proctype.text, list(args)),
        ExprKind::Len(channel) => format!("len({})", var(channel)),
        ExprKind::Probe { kind, channel } => {
            let name = match kind {
                ProbeKind::Full => "full",
                ProbeKind::NotFull => "nfull",
                ProbeKind::Empty => "empty",
                ProbeKind::NotEmpty => "nempty",
            };
            format!("{name}({})", var(channel))
        }
        ExprKind::Poll { channel, random, args } => {
            let op = if *random { "??" } else { "?" };
            format!("{}{op}[{}]", var(channel), receive_args(args))
        }
        ExprKind::Enabled(pid) => format!("enabled({})", expr(pid)),
        ExprKind::PcValue(pid) => format!("pc_value({})", expr(pid)),
        ExprKind::GetPriority(pid) => format!("get_priority({})", expr(pid)),
        ExprKind::Timeout => "timeout".into(),
        ExprKind::NonProgress => "np_".into(),
        ExprKind::RemoteLabel { proctype, pid, label } => match pid {
            Some(pid) => format!("{}[{}]@{}", proctype.text, expr(pid), label.text),
            None => format!("{}@{}", proctype.text, label.text),
        },
        ExprKind::RemoteVar { proctype, pid, var: place } => match pid {
            Some(pid) => format!("{}[{}]:{}", proctype.text, expr(pid), var(place)),
            None => format!("{}:{}", proctype.text, var(place)),
        },
        ExprKind::EmbeddedC(c) => c.kind.keyword().into(),
    }
}

/// A string literal without quotes, escapes resolved.
pub(super) fn unescape(literal: &str) -> String {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
    text
}

/// The pairs `proctype`, `label` of `P@label` and `P[e]@label` in the text of a formula.
pub fn label_references(formula: &str) -> Vec<(&str, &str)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in formula.match_indices('@') {
        let label = formula[at + 1..].trim_start();
        let label = &label[..label.find(|c| !is_name(c)).unwrap_or(label.len())];
        let mut before = formula[..at].trim_end();
        if before.ends_with(']') {
            before = before[..opening(before)].trim_end();
        }
        let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        found.push((&before[start..], label));
    }
    found
}

/// Where the bracket opens that closes at the end.
fn opening(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    0
}
