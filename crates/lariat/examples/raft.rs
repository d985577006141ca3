//! Raft: Ongaro and Ousterhout, *In search of an understandable consensus algorithm*, 2014, Figure 2, with servers that
//! crash and recover.
//!
//! What Figure 2 calls persistent must be saved before a server answers. Stateright's example of Raft (0.31) lets
//! servers crash but saves nothing, so its "Election Safety" is violated: a server votes for one candidate, crashes,
//! has forgotten its vote when it comes back, and votes for another one in the same term. Both then have two votes
//! of three. [`Raft::saves`] is the difference; without it the same run of eight steps is found here. (Stateright
//! counts the initial state and does not look at the last level: its depth 10.)

use lariat::Check;
use lariat::actor::{Actor, Id, Network, OutOf, State, System};
use std::collections::BTreeSet;
use std::process::ExitCode;

pub struct Raft {
    pub servers: usize,
    /// Term, vote and log outlive a crash.
    pub saves: bool,
}

type Term = u32;

/// What is to be agreed on: the server that was leader has put it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    term: Term,
    value: Id,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Follower,
    Candidate {
        votes: BTreeSet<Id>,
    },
    /// By server: the length of the log that it is sent from, and that it is known to have.
    Leader {
        next: Vec<usize>,
        acked: Vec<usize>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Server {
    term: Term,
    voted_for: Option<Id>,
    log: Vec<Entry>,
    role: Role,
    committed: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// The candidate's last entry: its term, and the length of the log.
    Ask {
        term: Term,
        last: (Term, usize),
    },
    Vote {
        term: Term,
        is_granted: bool,
    },
    /// Entries behind the first `length`, the last of which has term `before`.
    Append {
        term: Term,
        length: usize,
        before: Term,
        entries: Vec<Entry>,
        committed: usize,
    },
    /// The log is as the leader's up to this length; or the entries do not fit.
    Appended {
        term: Term,
        length: Option<usize>,
    },
}

impl Message {
    fn term(&self) -> Term {
        match *self {
            Message::Ask { term, .. }
            | Message::Vote { term, .. }
            | Message::Append { term, .. }
            | Message::Appended { term, .. } => term,
        }
    }
}

impl Server {
    fn new() -> Server {
        Server { term: 0, voted_for: None, log: Vec::new(), role: Role::Follower, committed: 0 }
    }

    /// The term of the last of so many entries.
    fn term_at(&self, length: usize) -> Term {
        length.checked_sub(1).map_or(0, |at| self.log[at].term)
    }

    fn last(&self) -> (Term, usize) {
        (self.term_at(self.log.len()), self.log.len())
    }

    fn follow(&mut self, out: &mut OutOf<Raft>) {
        self.role = Role::Follower;
        out.set_timer(());
    }

    /// What a leader tells another server.
    fn tell(&self, to: Id, out: &mut OutOf<Raft>) {
        let Role::Leader { next, .. } = &self.role else { return };
        let (term, length, committed) = (self.term, next[to], self.committed);
        let (before, entries) = (self.term_at(length), self.log[length..].to_vec());
        out.send(to, Message::Append { term, length, before, entries, committed });
    }

    /// Whether the entries fit; the log has them then.
    fn append(&mut self, length: usize, before: Term, entries: &[Entry]) -> bool {
        if self.log.len() < length || self.term_at(length) != before {
            return false;
        }
        let same = entries.iter().zip(&self.log[length..]).take_while(|(a, b)| a == b).count();
        if same < entries.len() {
            self.log.truncate(length + same);
            self.log.extend(&entries[same..]);
        }
        true
    }
}

impl Raft {
    fn others(&self, me: Id) -> impl Iterator<Item = Id> + use<> {
        (0..self.servers).filter(move |&id| id != me)
    }

    /// A leader begins with an entry of its own.
    fn lead(&self, me: Id, s: &mut Server, out: &mut OutOf<Self>) {
        out.cancel_timer(());
        s.role =
            Role::Leader { next: vec![s.log.len(); self.servers], acked: vec![0; self.servers] };
        s.log.push(Entry { term: s.term, value: me });
        self.others(me).for_each(|id| s.tell(id, out));
    }

    /// Entries that most servers have are committed, if the last of them is of this term (§5.4.2).
    fn commit(&self, me: Id, s: &mut Server, out: &mut OutOf<Self>) {
        let Role::Leader { acked, .. } = &s.role else { return };
        let have = |length: usize| 1 + acked.iter().filter(|&&acked| acked >= length).count();
        let is_common =
            |&length: &usize| 2 * have(length) > self.servers && s.log[length - 1].term == s.term;
        if let Some(length) = (s.committed + 1..=s.log.len()).rev().find(is_common) {
            s.committed = length;
            self.others(me).for_each(|id| s.tell(id, out));
        }
    }

    fn answer(&self, me: Id, s: &mut Server, from: Id, message: &Message, out: &mut OutOf<Self>) {
        let term = message.term();
        if term > s.term {
            (s.term, s.voted_for) = (term, None);
            s.follow(out);
        }
        let is_now = term == s.term;
        match (message, &mut s.role) {
            (Message::Ask { last, .. }, _) => {
                let is_free = s.voted_for.is_none_or(|id| id == from);
                let is_granted = is_now && is_free && *last >= s.last();
                if is_granted {
                    s.voted_for = Some(from);
                }
                // Who is refused learns nothing but a newer term.
                if is_granted || !is_now {
                    out.send(from, Message::Vote { term: s.term, is_granted });
                }
            }
            (Message::Vote { is_granted: true, .. }, Role::Candidate { votes }) if is_now => {
                votes.insert(from);
                if 2 * votes.len() > self.servers {
                    self.lead(me, s, out);
                }
            }
            (Message::Append { length, before, entries, committed, .. }, _) if is_now => {
                if matches!(s.role, Role::Candidate { .. }) {
                    s.follow(out);
                }
                let fits = s.append(*length, *before, entries);
                let length = fits.then_some(length + entries.len());
                s.committed = s.committed.max(length.unwrap_or(0).min(*committed));
                out.send(from, Message::Appended { term, length });
            }
            (Message::Append { .. }, _) => {
                out.send(from, Message::Appended { term: s.term, length: None });
            }
            (Message::Appended { length, .. }, Role::Leader { next, acked }) if is_now => {
                match length {
                    Some(length) => {
                        acked[from] = acked[from].max(*length);
                        next[from] = next[from].max(*length);
                        self.commit(me, s, out);
                    }
                    None if next[from] > 0 => {
                        next[from] -= 1;
                        s.tell(from, out);
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn save(&self, s: &Server, out: &mut OutOf<Self>) {
        if self.saves {
            let (term, voted_for, log) = (s.term, s.voted_for, s.log.clone());
            out.save(Server { term, voted_for, log, ..Server::new() });
        }
    }
}

impl Actor for Raft {
    type State = Server;
    type Message = Message;
    /// For an election.
    type Timer = ();

    fn name(&self, me: Id) -> String {
        format!("server {me}")
    }

    fn start(&self, _: Id, out: &mut OutOf<Self>) -> Server {
        out.set_timer(());
        Server::new()
    }

    fn receive(&self, me: Id, s: &mut Server, from: Id, message: &Message, out: &mut OutOf<Self>) {
        self.answer(me, s, from, message, out);
        self.save(s, out);
    }

    fn timeout(&self, me: Id, s: &mut Server, _: &(), out: &mut OutOf<Self>) {
        (s.term, s.voted_for) = (s.term + 1, Some(me));
        s.role = Role::Candidate { votes: BTreeSet::from([me]) };
        out.set_timer(());
        out.broadcast(self.others(me), &Message::Ask { term: s.term, last: s.last() });
        self.save(s, out);
    }

    fn recover(&self, _: Id, saved: Option<&Server>, out: &mut OutOf<Self>) -> Server {
        out.set_timer(());
        saved.cloned().unwrap_or_else(Server::new)
    }
}

/// Servers of which so many may be down at a time, up to some term, with at most so many messages on their way.
pub fn system(servers: usize, saves: bool, crashes: usize, bounds: (Term, usize)) -> System<Raft> {
    let actors = (0..servers).map(|_| Raft { servers, saves });
    System::new(actors, Network::Ordered { loses: false }).crashes(crashes).within(move |s| {
        let (terms, messages) = bounds;
        s.actors.iter().all(|server| server.term <= terms) && s.messages().count() <= messages
    })
}

fn leaders(s: &State<Raft>) -> impl Iterator<Item = (Id, &Server)> {
    let servers = s.actors.iter().enumerate().map(|(id, local)| (id, &local.state));
    servers.filter(|(_, server)| matches!(server.role, Role::Leader { .. }))
}

/// At most one leader in each term.
fn one_leader(s: &State<Raft>) -> bool {
    leaders(s).all(|(a, one)| leaders(s).all(|(b, other)| a == b || one.term != other.term))
}

/// Entries of one place and term are the same, and so is all before them.
fn logs_match(s: &State<Raft>) -> bool {
    let logs = || s.actors.iter().map(|server| &server.log);
    logs().all(|one| {
        logs().all(|other| {
            let both = one.iter().zip(other);
            let last = both.clone().rposition(|(a, b)| a.term == b.term);
            last.is_none_or(|last| both.take(last + 1).all(|(a, b)| a == b))
        })
    })
}

/// What is committed is the same everywhere.
fn commits_match(s: &State<Raft>) -> bool {
    let committed = || s.actors.iter().map(|server| &server.log[..server.committed]);
    committed().all(|one| committed().all(|other| one.iter().zip(other).all(|(a, b)| a == b)))
}

pub fn check(system: &System<Raft>) -> Check<'_, System<Raft>> {
    Check::of(system)
        .always("Election Safety", one_leader)
        .always("Log Matching", logs_match)
        .always("State Machine Safety", commits_match)
        .reachable("a leader", |s| leaders(s).next().is_some())
        .reachable("all have committed", |s| s.actors.iter().all(|server| server.committed > 0))
}

pub fn main() -> ExitCode {
    let args: Vec<usize> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let bounds = match args[..] {
        [terms, messages] => (terms as Term, messages),
        _ => BOUNDS,
    };
    let forgetful = system(3, false, 1, TWO_LEADERS);
    let report = check(&forgetful).stop_at_first().run();
    print!("Nothing is saved.\n\n{}", forgetful.chart(report.assert_violated("Election Safety")));
    let report = check(&system(3, true, 1, bounds)).run();
    print!("\nTerm, vote and log are saved.\n\n{report}");
    report.exit_code()
}

/// The first term, and enough messages for two candidates that ask both others.
const BOUNDS: (Term, usize) = (1, 4);
/// Also for what two leaders then have to say.
const TWO_LEADERS: (Term, usize) = (1, 6);

#[test]
fn a_forgotten_vote() {
    let system = system(3, false, 1, TWO_LEADERS);
    let report = check(&system).stop_at_first().run();
    let run = report.assert_violated("Election Safety");
    assert_eq!(run.actions.len(), 8, "{run}");
    let crashes = run.actions.iter().filter(|a| matches!(a, lariat::actor::Action::Crash(_)));
    assert_eq!(crashes.count(), 1, "{run}");
    // The same server votes twice.
    let votes = |s: &State<Raft>, id: Id| s.actors[id].voted_for;
    let voter = (0..3).find(|&id| {
        let seen: BTreeSet<Id> = run.states.iter().filter_map(|s| votes(s, id)).collect();
        seen.len() == 2
    });
    assert!(voter.is_some(), "{run}");
}

/// Nobody crashes: nothing need be saved.
#[test]
fn without_crashes() {
    check(&system(3, false, 0, BOUNDS)).run().assert_ok();
}

#[test]
fn what_is_saved_is_enough() {
    check(&system(3, true, 1, BOUNDS)).run().assert_ok();
}

/// A second term: logs of two leaders meet, and entries of the first term are overwritten.
/// `cargo test --release -p lariat --test examples -- --ignored`: two million states, seconds.
#[test]
#[ignore = "needs a release build: cargo test --release -p lariat --test examples -- --ignored"]
fn two_terms() {
    let saving = system(3, true, 1, (2, 5));
    let report = check(&saving)
        .reachable("leaders of two terms", |s| {
            let terms: BTreeSet<Term> = leaders(s).map(|(_, server)| server.term).collect();
            terms.len() == 2
        })
        .reachable("an entry is to be overwritten", |s| {
            s.actors.iter().any(|one| {
                s.actors.iter().any(|other| {
                    one.log.first().is_some_and(|entry| {
                        other.log.first().is_some_and(|new| entry.term < new.term)
                    })
                })
            })
        })
        .run();
    report.assert_ok();
    assert_eq!((report.stats.states, report.stats.transitions), (1_862_770, 7_372_236));
}
