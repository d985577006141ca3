//! What a report looks like, each time the same.

use lariat::{Check, Model, State, Steps, ltl, prop};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Message {
    Ping(u32),
    Pong(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Game {
    rounds: [u32; 2],
    network: BTreeSet<Message>,
    last: Option<Message>,
    score: BTreeMap<&'static str, u32>,
}

#[derive(Clone, Debug)]
#[allow(dead_code, reason = "shown")]
enum Action {
    Resend,
    Receive(Message),
    Drop(Message),
}

/// Ping-pong over a network that loses messages; pings are sent again.
struct PingPong;
impl Model for PingPong {
    type State = Game;
    type Action = Action;
    fn initial(&self) -> Vec<Game> {
        let (network, score) = (BTreeSet::new(), BTreeMap::new());
        vec![Game { rounds: [0, 0], network, last: None, score }]
    }
    fn steps(&self, game: &Game, to: &mut Steps<'_, Self>) {
        let ping = Message::Ping(game.rounds[0]);
        if !game.network.contains(&ping) {
            to.step(Action::Resend, |game| game.network.insert(ping.clone()));
        }
        for message in &game.network {
            to.step(Action::Drop(message.clone()), |game| game.network.remove(message));
            to.step(Action::Receive(message.clone()), |game| {
                game.network.remove(message);
                game.last = Some(message.clone());
                match *message {
                    Message::Ping(round) => {
                        game.rounds[1] = game.rounds[1].max(round + 1);
                        game.network.insert(Message::Pong(round));
                    }
                    Message::Pong(round) => {
                        game.rounds[0] = game.rounds[0].max(round + 1);
                        *game.score.entry("pings").or_default() += 1;
                    }
                }
            });
        }
    }
    fn within(&self, game: &Game) -> bool {
        game.rounds.iter().all(|&round| round < 3)
    }
}

fn report() -> lariat::Report<PingPong> {
    Check::of(&PingPong)
        .always("in step", |game| game.rounds[0] <= game.rounds[1])
        .always("no pong", |game| !game.network.contains(&Message::Pong(1)))
        .reachable("second round", |game| game.rounds == [2, 2])
        .reachable("tenth round", |game| game.rounds == [10, 10])
        .holds("goes on", ltl("F second").with("second", |game: &Game| game.rounds[0] == 2))
        .holds("wrong", ltl("F (second").with("second", |_| true))
        .run()
}

#[test]
fn a_report() {
    let expected = "\
in step: holds within the boundary
no pong: VIOLATED
  initially
        rounds = [0, 0]
        network = {}
        last = None
        score = {}
    1  Resend
        network: + Ping(0)
    2  Receive(Ping(0))
        rounds[1]: 0 → 1
        network: − Ping(0)
        network: + Pong(0)
        last: None → Some(Ping(0))
    3  Receive(Pong(0))
        rounds[0]: 0 → 1
        network: − Pong(0)
        last: Some(Ping(0)) → Some(Pong(0))
        score[\"pings\"]: + 1
    4  Resend
        network: + Ping(1)
    5  Receive(Ping(1))
        rounds[1]: 1 → 2
        network: − Ping(1)
        network: + Pong(1)
        last: Some(Pong(0)) → Some(Ping(1))
second round: reached in 6 steps
tenth round: UNREACHABLE within the boundary
goes on: VIOLATED
  initially
        rounds = [0, 0]
        network = {}
        last = None
        score = {}
  then for ever:
    1  Resend
        network: + Ping(0)
    2  Drop(Ping(0))
        network: − Ping(0)
  no fairness was asked for: again and again, this was possible and never done: Receive(Ping(0))
wrong: INCONCLUSIVE: ";
    let shown = report().to_string();
    assert!(shown.starts_with(expected), "{shown}");
    assert!(shown.contains("never closed") && shown.contains("F (second"), "{shown}");
    assert_eq!(format!("{:?}", report()), shown);
}

#[test]
fn the_same_each_time() {
    let first = report().to_string();
    for _ in 0..3 {
        assert_eq!(report().to_string(), first);
    }
}

#[test]
fn mistakes_in_questions() {
    let refused = |check: Check<'_, PingPong>| {
        let report = check.run();
        assert_eq!(report.code(), 2, "{report}");
        report.to_string()
    };
    let twice = Check::of(&PingPong).always("a", |_| true).reachable("a", |_| true);
    assert!(refused(twice).contains("two questions are called \"a\""));
    let unknown = Check::of(&PingPong).holds("a", ltl("G p"));
    assert!(refused(unknown).contains("nothing says what `p` means"));
    let unused =
        Check::of(&PingPong).holds("a", ltl("G p").with("p", |_| true).with("q", |_| true));
    assert!(refused(unused).contains("does not speak of `q`"));
    let (p, q) = (prop("p", |_: &Game| true), prop("p", |_: &Game| false));
    let two = Check::of(&PingPong).holds("a", p.clone() & q);
    assert!(refused(two).contains("two propositions are called `p`"));
    let with = Check::of(&PingPong).holds("a", p.with("q", |_| true));
    assert!(refused(with).contains("for formulas that are text"));
    let panic = Check::of(&PingPong).always("no panic", |_| true);
    assert!(refused(panic).contains("use another name"));
}

/// A panic, an end, and actors with a timer, something saved and one that is down.
#[test]
fn other_runs() {
    use lariat::actor::{Actor, Id, Network, OutOf, System};

    struct Divide;
    impl Model for Divide {
        type State = i32;
        type Action = &'static str;
        fn initial(&self) -> Vec<i32> {
            vec![2]
        }
        fn steps(&self, &n: &i32, to: &mut Steps<'_, Self>) {
            assert!(12 / n > 0, "never negative");
            to.step("less", |n| *n -= 1);
        }
    }
    let report = Check::of(&Divide).always("small", |&n| n < 9).run();
    let expected = "\
no panic: PANIC: attempt to divide by zero
  initially
        2
    1  \"less\"
        2 → 1
    2  \"less\"
        1 → 0
small: INCONCLUSIVE: the model panicked: attempt to divide by zero
3 states, 2 steps, depth 2
";
    assert_eq!(report.to_string(), expected);

    struct Alarm;
    impl Actor for Alarm {
        type State = u8;
        type Message = &'static str;
        type Timer = u8;
        fn start(&self, me: Id, out: &mut OutOf<Self>) -> u8 {
            if me == 0 {
                out.set_timer(7);
            }
            0
        }
        fn receive(&self, _: Id, s: &mut u8, _: Id, _: &&'static str, out: &mut OutOf<Self>) {
            *s += 1;
            out.save(*s);
        }
        fn timeout(&self, _: Id, s: &mut u8, _: &u8, out: &mut OutOf<Self>) {
            *s = 1;
            out.send(1, "wake up");
        }
    }
    let system = System::new([Alarm, Alarm], Network::Ordered { loses: false }).crashes(1);
    let report = Check::of(&system)
        .always("awake", |s| s.actors[1].is_up || s.actors[1].saved.is_none())
        .stop_at_first()
        .run();
    let expected = "\
awake: VIOLATED
  initially
        actors = [Local { state: 0, timers: [7], saved: None, is_up: true }, 0]
        inboxes = [[], []]
    1  Timeout(0, 7)
        actors[0]: Local { state: 0, timers: [7], saved: None, is_up: true } → 1
        inboxes[1]: [] → [0→1 \"wake up\"]
    2  Deliver(0→1 \"wake up\")
        actors[1]: 0 → Local { state: 1, timers: [], saved: Some(1), is_up: true }
        inboxes[1]: [0→1 \"wake up\"] → []
    3  Crash(1)
        actors[1].is_up: true → false
";
    assert!(report.to_string().starts_with(expected), "{report}");
}
