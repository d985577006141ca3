//! Sends and receives.

use super::Lowerer;
use crate::ir::{Action, ExprId, Place, Receive, ReceiveArg, Send};
use lariat_syntax::diagnostics::Span;
use lariat_syntax::promela::ast;

impl Lowerer {
    pub(super) fn send(&mut self, send: &ast::Send, span: Span) -> Action {
        let channel = self.channel(&send.channel);
        let args: Vec<ExprId> = send.args.iter().flat_map(|arg| self.argument(arg)).collect();
        self.sends.push((span, args.len()));
        Action::Send(Box::new(Send { channel, sorted: send.sorted, args }))
    }

    pub(super) fn receive(&mut self, receive: &ast::Receive) -> Action {
        let channel = self.channel(&receive.channel);
        let args = self.receive_args(&receive.args);
        self.check_double_use(&receive.args);
        let (random, peek) = (receive.random, receive.peek);
        Action::Receive(Box::new(Receive { channel, random, peek, args }))
    }

    pub(super) fn receive_args(&mut self, args: &[ast::ReceiveArg]) -> Vec<ReceiveArg> {
        args.iter().flat_map(|arg| self.receive_arg(arg)).collect()
    }

    fn receive_arg(&mut self, arg: &ast::ReceiveArg) -> Vec<ReceiveArg> {
        match arg {
            ast::ReceiveArg::Any(_) => vec![ReceiveArg::Ignore],
            ast::ReceiveArg::Const(literal) => {
                vec![ReceiveArg::Match(self.constant_expr(literal.value, literal.span))]
            }
            ast::ReceiveArg::Eval(value) => vec![ReceiveArg::Match(self.expr(value))],
            ast::ReceiveArg::Var(var) => {
                if let Some(name) = var.as_name() {
                    if let Some(constant) = self.names.mtypes.get(&name.text) {
                        let value = constant.value;
                        return vec![ReceiveArg::Match(self.constant_expr(value, var.span))];
                    }
                    if &*name.text == "_" {
                        return vec![ReceiveArg::Ignore];
                    }
                    if matches!(&*name.text, "_pid" | "_nr_pr" | "_last" | "_priority" | "np_") {
                        self.error(name.span, format!("cannot receive into `{}`", name.text));
                        return Vec::new();
                    }
                }
                if let Some(places) = self.struct_places(var) {
                    return places.into_iter().map(ReceiveArg::Store).collect();
                }
                self.place(var).map(ReceiveArg::Store).into_iter().collect()
            }
        }
    }

    /// A scalar variable may stand in one field only.
    fn check_double_use(&mut self, args: &[ast::ReceiveArg]) {
        let names = args.iter().filter_map(|arg| match arg {
            ast::ReceiveArg::Var(var) => var.as_name(),
            _ => None,
        });
        let mut seen: Vec<&ast::Ident> = Vec::new();
        let mut doubles = Vec::new();
        for name in names {
            let is_variable = !self.names.mtypes.contains_key(&name.text) && &*name.text != "_";
            if is_variable && seen.iter().any(|other| other.text == name.text) {
                doubles.push(name.clone());
            }
            seen.push(name);
        }
        for name in doubles {
            let message = format!("`{}` cannot receive two fields of one message", name.text);
            self.error(name.span, message);
        }
    }

    /// Receive and send back all fields: `for (m in c)` rotates the channel.
    pub(super) fn rotation(
        &mut self,
        channel: ExprId,
        places: Vec<Place>,
        at: Span,
    ) -> [Action; 2] {
        let values: Vec<ExprId> =
            places.iter().map(|place| self.load_place(place.clone(), at)).collect();
        let args = places.into_iter().map(ReceiveArg::Store).collect();
        [
            Action::Receive(Box::new(Receive { channel, random: false, peek: false, args })),
            Action::Send(Box::new(Send { channel, sorted: false, args: values })),
        ]
    }
}
