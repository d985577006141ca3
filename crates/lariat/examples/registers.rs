//! A register kept by one server, by ABD, and by Paxos: is it linearizable? After Stateright's examples
//! single-copy-register, linearizable-register and paxos, with the same states.

use lariat::actor::{Actor, Event, Id, Network, OutOf, System};
use lariat::history::{Consistency, History, Register, RegisterOp};
use lariat::{Check, Report, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::hash::Hash;
use std::process::ExitCode;

/// What clients and servers say; `I` is what servers say to each other.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Message<I> {
    Internal(I),
    Put(u64, char),
    Get(u64),
    PutOk(u64),
    GetOk(u64, char),
}
use Message::{Get, GetOk, Internal, Put, PutOk};

pub enum Node<S> {
    Server(S),
    /// Writes once, then reads.
    Client {
        servers: usize,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NodeState<T> {
    Server(T),
    Client { awaiting: Option<u64>, operations: u64 },
}

/// What a server does. Messages of servers are `Message<Self::Internal>`.
pub trait Server: Send + Sync + 'static {
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    type Internal: Clone + Eq + Hash + Ord + Debug + Send + Sync + 'static;
    fn start(&self, me: Id) -> Self::State;
    /// What it sends.
    fn receive(
        &self,
        me: Id,
        state: &mut Self::State,
        from: Id,
        message: &Message<Self::Internal>,
    ) -> Vec<(Id, Message<Self::Internal>)>;
}

impl<S: Server> Actor for Node<S> {
    type State = NodeState<S::State>;
    type Message = Message<S::Internal>;
    type Timer = ();

    fn start(&self, me: Id, out: &mut OutOf<Self>) -> Self::State {
        match self {
            Node::Server(server) => NodeState::Server(server.start(me)),
            Node::Client { servers } => {
                let value = char::from(b'A' + (me - servers) as u8);
                out.send(me % servers, Put(me as u64, value));
                NodeState::Client { awaiting: Some(me as u64), operations: 1 }
            }
        }
    }

    fn receive(
        &self,
        me: Id,
        state: &mut Self::State,
        from: Id,
        message: &Self::Message,
        out: &mut OutOf<Self>,
    ) {
        match (self, state) {
            (Node::Server(server), NodeState::Server(state)) => {
                let sends = server.receive(me, state, from, message);
                sends.into_iter().for_each(|(to, message)| out.send(to, message));
            }
            (Node::Client { servers }, NodeState::Client { awaiting, operations }) => match message
            {
                PutOk(id) if *awaiting == Some(*id) => {
                    let request = (*operations + 1) * me as u64;
                    out.send((me + *operations as usize) % servers, Get(request));
                    (*awaiting, *operations) = (Some(request), *operations + 1);
                }
                GetOk(id, _) if *awaiting == Some(*id) => {
                    (*awaiting, *operations) = (None, *operations + 1);
                }
                _ => {}
            },
            _ => unreachable!("a node does not change its kind"),
        }
    }
}

type Seen = History<Register<char>>;

fn record<I>(history: &mut Seen, event: Event<'_, Message<I>>) {
    match event {
        Event::Sent(sent) => match &sent.message {
            Get(_) => history.invoke(sent.from, RegisterOp::Read),
            Put(_, value) => history.invoke(sent.from, RegisterOp::Write(*value)),
            _ => {}
        },
        Event::Received(received) => match &received.message {
            GetOk(_, value) => history.returns(received.to, Some(*value)),
            PutOk(_) => history.returns(received.to, None),
            _ => {}
        },
    }
}

/// One server, or several that know nothing of each other.
pub struct Single;

impl Server for Single {
    type State = char;
    type Internal = ();

    fn start(&self, _: Id) -> char {
        '\0'
    }

    fn receive(
        &self,
        _: Id,
        state: &mut char,
        from: Id,
        message: &Message<()>,
    ) -> Vec<(Id, Message<()>)> {
        match message {
            Put(id, value) => {
                *state = *value;
                vec![(from, PutOk(*id))]
            }
            Get(id) => vec![(from, GetOk(*id, *state))],
            _ => Vec::new(),
        }
    }
}

/// When a value was written, and by whom.
type Version = (u64, Id);

/// Attiya, Bar-Noy, Dolev, *Sharing memory robustly in message-passing systems*, 1995.
pub struct Abd(pub usize);

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AbdMessage {
    Query(u64),
    AckQuery(u64, Version, char),
    Record(u64, Version, char),
    AckRecord(u64),
}
use AbdMessage::{AckQuery, AckRecord, Query, Record};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Phase {
    Ask { request: u64, client: Id, write: Option<char>, answers: BTreeMap<Id, (Version, char)> },
    Tell { request: u64, client: Id, read: Option<char>, acks: BTreeSet<Id> },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AbdState {
    version: Version,
    value: char,
    phase: Option<Phase>,
}

/// To all others.
fn others<I: Clone>(servers: usize, me: Id, message: I) -> Vec<(Id, Message<I>)> {
    (0..servers).filter(|&id| id != me).map(|id| (id, Internal(message.clone()))).collect()
}

impl Server for Abd {
    type State = AbdState;
    type Internal = AbdMessage;

    fn start(&self, me: Id) -> AbdState {
        AbdState { version: (0, me), value: '\0', phase: None }
    }

    fn receive(
        &self,
        me: Id,
        s: &mut AbdState,
        from: Id,
        message: &Message<AbdMessage>,
    ) -> Vec<(Id, Message<AbdMessage>)> {
        let majority = self.0 / 2 + 1;
        match (message, &mut s.phase) {
            (Put(request, _) | Get(request), None) => {
                let write = if let Put(_, value) = message { Some(*value) } else { None };
                let answers = BTreeMap::from([(me, (s.version, s.value))]);
                s.phase = Some(Phase::Ask { request: *request, client: from, write, answers });
                others(self.0, me, Query(*request))
            }
            (Internal(Query(request)), _) => {
                vec![(from, Internal(AckQuery(*request, s.version, s.value)))]
            }
            (
                Internal(AckQuery(id, version, value)),
                Some(Phase::Ask { request, client, write, answers }),
            ) if id == request => {
                answers.insert(from, (*version, *value));
                if answers.len() < majority {
                    return Vec::new();
                }
                let newest = answers.values().max_by_key(|(version, _)| version);
                let (mut version, mut value) = *newest.expect("its own at least");
                let read = if write.is_none() { Some(value) } else { None };
                if let Some(written) = write {
                    (version, value) = ((version.0 + 1, me), *written);
                }
                let (request, client) = (*request, *client);
                if version > s.version {
                    (s.version, s.value) = (version, value);
                }
                let acks = BTreeSet::from([me]);
                s.phase = Some(Phase::Tell { request, client, read, acks });
                others(self.0, me, Record(request, version, value))
            }
            (Internal(Record(request, version, value)), _) => {
                if *version > s.version {
                    (s.version, s.value) = (*version, *value);
                }
                vec![(from, Internal(AckRecord(*request)))]
            }
            (Internal(AckRecord(id)), Some(Phase::Tell { request, client, read, acks }))
                if id == request && !acks.contains(&from) =>
            {
                acks.insert(from);
                if acks.len() < majority {
                    return Vec::new();
                }
                let answer = match read {
                    Some(value) => GetOk(*request, *value),
                    None => PutOk(*request),
                };
                let to = *client;
                s.phase = None;
                vec![(to, answer)]
            }
            _ => Vec::new(),
        }
    }
}

type Ballot = (u32, Id);
/// A request, the client, the value.
type Proposal = (u64, Id, char);

/// Lamport, *The part-time parliament*, 1998: one decree.
pub struct Paxos(pub usize);

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PaxosMessage {
    Prepare(Ballot),
    Prepared(Ballot, Option<(Ballot, Proposal)>),
    Accept(Ballot, Proposal),
    Accepted(Ballot),
    Decided(Ballot, Proposal),
}
use PaxosMessage::{Accept, Accepted, Decided, Prepare, Prepared};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PaxosState {
    ballot: Ballot,
    proposal: Option<Proposal>,
    prepares: BTreeMap<Id, Option<(Ballot, Proposal)>>,
    accepts: BTreeSet<Id>,
    accepted: Option<(Ballot, Proposal)>,
    is_decided: bool,
}

impl Server for Paxos {
    type State = PaxosState;
    type Internal = PaxosMessage;

    fn start(&self, _: Id) -> PaxosState {
        PaxosState {
            ballot: (0, 0),
            proposal: None,
            prepares: BTreeMap::new(),
            accepts: BTreeSet::new(),
            accepted: None,
            is_decided: false,
        }
    }

    fn receive(
        &self,
        me: Id,
        s: &mut PaxosState,
        from: Id,
        message: &Message<PaxosMessage>,
    ) -> Vec<(Id, Message<PaxosMessage>)> {
        let majority = self.0 / 2 + 1;
        if s.is_decided {
            return match (message, s.accepted) {
                (Get(request), Some((_, (_, _, value)))) => vec![(from, GetOk(*request, value))],
                _ => Vec::new(),
            };
        }
        match message {
            Put(request, value) if s.proposal.is_none() => {
                s.proposal = Some((*request, from, *value));
                s.accepts.clear();
                s.ballot = (s.ballot.0 + 1, me);
                s.prepares = BTreeMap::from([(me, s.accepted)]);
                others(self.0, me, Prepare(s.ballot))
            }
            Internal(Prepare(ballot)) if s.ballot < *ballot => {
                s.ballot = *ballot;
                vec![(from, Internal(Prepared(*ballot, s.accepted)))]
            }
            Internal(Prepared(ballot, last)) if *ballot == s.ballot => {
                s.prepares.insert(from, *last);
                if s.prepares.len() != majority {
                    return Vec::new();
                }
                let newest = s.prepares.values().max().copied().flatten();
                let Some(proposal) = newest.map(|(_, proposal)| proposal).or(s.proposal) else {
                    return Vec::new();
                };
                s.proposal = Some(proposal);
                s.accepted = Some((*ballot, proposal));
                s.accepts.insert(me);
                others(self.0, me, Accept(*ballot, proposal))
            }
            Internal(Accept(ballot, proposal)) if s.ballot <= *ballot => {
                s.ballot = *ballot;
                s.accepted = Some((*ballot, *proposal));
                vec![(from, Internal(Accepted(*ballot)))]
            }
            Internal(Accepted(ballot)) if *ballot == s.ballot => {
                s.accepts.insert(from);
                let Some(proposal) = s.proposal.filter(|_| s.accepts.len() == majority) else {
                    return Vec::new();
                };
                s.is_decided = true;
                let mut sends = others(self.0, me, Decided(*ballot, proposal));
                sends.push((proposal.1, PutOk(proposal.0)));
                sends
            }
            Internal(Decided(ballot, proposal)) => {
                s.ballot = *ballot;
                s.accepted = Some((*ballot, *proposal));
                s.is_decided = true;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}

pub const UNORDERED: Network = Network::Unordered { loses: false, duplicates: false };

pub fn system<S: Server>(
    server: impl Fn() -> S,
    servers: usize,
    clients: usize,
    network: Network,
) -> System<Node<S>, Seen> {
    let of_servers = (0..servers).map(|_| Node::Server(server()));
    let actors = of_servers.chain((0..clients).map(|_| Node::Client { servers }));
    let history = History::new(Register('\0'), Consistency::Linearizable);
    System::new(actors, network).recording(history, record)
}

pub fn check<S: Server>(
    system: &System<Node<S>, Seen>,
    store: Store,
) -> Report<System<Node<S>, Seen>> {
    let is_value = |m: &Message<S::Internal>| matches!(m, GetOk(_, value) if *value != '\0');
    Check::of(system)
        .always("linearizable", |s| s.history.is_consistent())
        .reachable("value chosen", move |s| s.messages().any(|e| is_value(&e.message)))
        .store(store)
        .run()
}

pub fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let number =
        |at: usize, usual: usize| args.get(at).and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (servers, clients) = (number(2, 3), number(3, 2));
    let network = match args.get(4).map(String::as_str) {
        Some("ordered") => Network::Ordered { loses: false },
        _ => UNORDERED,
    };
    macro_rules! show {
        ($server:expr) => {{
            let report = check(&system(|| $server, servers, clients, network), Store::default());
            print!("{report}");
            report.exit_code()
        }};
    }
    match args.get(1).map(String::as_str) {
        Some("single") => show!(Single),
        Some("abd") => show!(Abd(servers)),
        _ => show!(Paxos(servers)),
    }
}

/// States and generated states, as Stateright 0.31 counts them.
#[cfg(test)]
fn count<S: Server>(server: impl Fn() -> S, servers: usize, clients: usize) -> (u64, u64) {
    let system = system(server, servers, clients, UNORDERED);
    let counts = [Store::Fitting, Store::Flat, Store::Tree].map(|store| {
        let report = check(&system, store);
        report.assert_ok();
        (report.stats.states, report.stats.transitions + 1)
    });
    assert_eq!(counts, [counts[0]; 3]);
    counts[0]
}

#[test]
fn counts_as_stateright() {
    assert_eq!(count(|| Single, 1, 2).0, 93);
    assert_eq!(count(|| Single, 1, 3), (4_243, 6_778));
    assert_eq!(count(|| Abd(2), 2, 2), (544, 875));
    assert_eq!(count(|| Paxos(3), 3, 2), (16_668, 32_971));
}

/// `cargo test --release -p lariat --test examples -- --ignored`: seconds, and 200 MB.
#[test]
#[ignore = "needs a release build: cargo test --release -p lariat --test examples -- --ignored"]
fn larger_counts_as_stateright() {
    assert_eq!(count(|| Single, 1, 4), (400_233, 731_789));
    assert_eq!(count(|| Paxos(3), 3, 3), (1_194_428, 2_420_477));
    let system = system(|| Abd(3), 3, 2, Network::Ordered { loses: false });
    let report = check(&system, Store::default());
    report.assert_ok();
    assert_eq!((report.stats.states, report.stats.transitions + 1), (1_212_979, 4_730_934));
}

/// Two servers that know nothing of each other are no register.
#[test]
fn two_copies_are_not_linearizable() {
    let report = check(&system(|| Single, 2, 2, UNORDERED), Store::default());
    report.assert_violated("linearizable");
}

/// A second `PutOk` that a client ignores is not recorded: Stateright takes that for a violation.
#[test]
fn ignored_deliveries_are_not_recorded() {
    check(&system(|| Paxos(3), 3, 2, Network::Ordered { loses: false }), Store::default())
        .assert_ok();
}
