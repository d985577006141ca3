//! Registers: the actors of lariat's example, which Stateright is given as its own. Clients, servers, messages and
//! states are the same types.

use crate::registers::{Message, Node, NodeState, Server, UNORDERED, check, system};
use crate::{Counts, Tool, counts};
use stateright::actor::{Actor, ActorModel, Envelope, Id, Network, Out};
use stateright::semantics::register::{Register, RegisterOp, RegisterRet};
use stateright::semantics::{ConsistencyTester, LinearizabilityTester};
use stateright::{Checker, Expectation, Model};
use std::borrow::Cow;

impl<S: Server> Actor for Node<S> {
    type Msg = Message<S::Internal>;
    type State = NodeState<S::State>;
    type Timer = ();
    type Storage = ();
    type Random = ();

    fn on_start(&self, id: Id, _: &Option<()>, out: &mut Out<Self>) -> Self::State {
        let me = usize::from(id);
        match self {
            Node::Server(server) => NodeState::Server(server.start(me)),
            Node::Client { servers } => {
                let value = char::from(b'A' + (me - servers) as u8);
                out.send(Id::from(me % servers), Message::Put(me as u64, value));
                NodeState::Client { awaiting: Some(me as u64), operations: 1 }
            }
        }
    }

    fn on_msg(
        &self,
        id: Id,
        state: &mut Cow<'_, Self::State>,
        from: Id,
        message: Self::Msg,
        out: &mut Out<Self>,
    ) {
        let me = usize::from(id);
        match (self, &**state) {
            (Node::Server(server), NodeState::Server(before)) => {
                let mut after = before.clone();
                let sends = server.receive(me, &mut after, usize::from(from), &message);
                sends.into_iter().for_each(|(to, message)| out.send(Id::from(to), message));
                // What is not touched is no step to it.
                if after != *before {
                    *state.to_mut() = NodeState::Server(after);
                }
            }
            (Node::Client { servers }, &NodeState::Client { awaiting, operations }) => {
                let (awaiting, operations) = match message {
                    Message::PutOk(id) if awaiting == Some(id) => {
                        let request = (operations + 1) * me as u64;
                        let to = (me + operations as usize) % servers;
                        out.send(Id::from(to), Message::Get(request));
                        (Some(request), operations + 1)
                    }
                    Message::GetOk(id, _) if awaiting == Some(id) => (None, operations + 1),
                    _ => return,
                };
                *state.to_mut() = NodeState::Client { awaiting, operations };
            }
            _ => unreachable!("a node does not change its kind"),
        }
    }
}

type Seen = LinearizabilityTester<Id, Register<char>>;

fn invoked<I>((): &(), seen: &Seen, sent: Envelope<&Message<I>>) -> Option<Seen> {
    let operation = match sent.msg {
        Message::Get(_) => RegisterOp::Read,
        Message::Put(_, value) => RegisterOp::Write(*value),
        _ => return None,
    };
    let mut seen = seen.clone();
    // What it does not allow it remembers.
    let _ = seen.on_invoke(sent.src, operation);
    Some(seen)
}

fn returned<I>((): &(), seen: &Seen, received: Envelope<&Message<I>>) -> Option<Seen> {
    let answer = match received.msg {
        Message::GetOk(_, value) => RegisterRet::ReadOk(*value),
        Message::PutOk(_) => RegisterRet::WriteOk,
        _ => return None,
    };
    let mut seen = seen.clone();
    let _ = seen.on_return(received.dst, answer);
    Some(seen)
}

pub(crate) fn run<S: Server>(
    tool: Tool,
    server: impl Fn() -> S,
    servers: usize,
    clients: usize,
    is_ordered: bool,
) -> Counts {
    if let Tool::Lariat(store) = tool {
        let network = match is_ordered {
            true => lariat::actor::Network::Ordered { loses: false },
            false => UNORDERED,
        };
        let report = check(&system(server, servers, clients, network), store);
        report.assert_ok();
        return (report.stats.states, report.stats.transitions + 1);
    }
    let of_servers = (0..servers).map(|_| Node::Server(server()));
    let network = match is_ordered {
        true => Network::new_ordered([]),
        false => Network::new_unordered_nonduplicating([]),
    };
    let model = ActorModel::new((), LinearizabilityTester::new(Register('\0')))
        .actors(of_servers.chain((0..clients).map(|_| Node::Client { servers })))
        .init_network(network)
        .property(Expectation::Always, "linearizable", |_, state| {
            state.history.serialized_history().is_some()
        })
        .property(Expectation::Sometimes, "value chosen", |_, state| {
            let values = state.network.iter_deliverable();
            let mut values = values.filter_map(|envelope| match envelope.msg {
                Message::GetOk(_, value) => Some(value.to_owned()),
                _ => None,
            });
            values.any(|value| value != '\0')
        })
        .record_msg_in(returned)
        .record_msg_out(invoked);
    match tool {
        Tool::Dfs => counts(&model.checker().spawn_dfs().join()),
        _ => counts(&model.checker().spawn_bfs().join()),
    }
}
