//! Actors: the engine that remembers against the one that calls actors each time, networks, crashes.

use lariat::actor::{self, Action, Actor, Id, Network, OutOf, System};
use lariat::{Check, Model, Reason, Report, Steps, Verdict, eventually, prop, successors};
use lariat_ltl::random::Rng;

/// Does with a message, or a timer, whatever a random number says.
struct Random(u64);

impl Random {
    fn act(&self, about: [usize; 3], state: &mut u8, out: &mut OutOf<Self>) {
        let about = about.iter().fold(self.0, |all, &one| Rng::new(all).bits() ^ one as u64);
        let mut rng = Rng::new(about ^ u64::from(*state) << 32);
        if rng.coin() {
            *state = rng.below(3) as u8;
        }
        for _ in 0..rng.below(3) {
            out.send(rng.below(4), rng.below(2) as u8);
        }
        match rng.below(6) {
            0 => out.set_timer(rng.coin()),
            1 => out.cancel_timer(rng.coin()),
            2 => out.save(rng.below(2) as u8),
            _ => {}
        }
    }
}

impl Actor for Random {
    type State = u8;
    type Message = u8;
    type Timer = bool;
    fn start(&self, me: Id, out: &mut OutOf<Self>) -> u8 {
        let mut state = 0;
        self.act([me, 100, 0], &mut state, out);
        state
    }
    fn receive(&self, me: Id, state: &mut u8, from: Id, message: &u8, out: &mut OutOf<Self>) {
        self.act([me, from, usize::from(*message)], state, out);
    }
    fn timeout(&self, me: Id, state: &mut u8, timer: &bool, out: &mut OutOf<Self>) {
        self.act([me, 200, usize::from(*timer)], state, out);
    }
    fn recover(&self, me: Id, saved: Option<&u8>, out: &mut OutOf<Self>) -> u8 {
        let mut state = saved.copied().unwrap_or(2);
        self.act([me, 300, 0], &mut state, out);
        state
    }
}

type Seen = System<Random, u8>;

/// The same system as a model like any other: actors are called for each step.
struct Plain<'s>(&'s Seen);

impl Model for Plain<'_> {
    type State = actor::State<Random, u8>;
    type Action = Action<u8, bool>;
    fn initial(&self) -> Vec<Self::State> {
        self.0.initial()
    }
    fn steps(&self, state: &Self::State, to: &mut Steps<'_, Self>) {
        successors(self.0, state).into_iter().for_each(|(action, next)| to.push(action, next));
    }
    fn within(&self, state: &Self::State) -> bool {
        self.0.within(state)
    }
}

/// What is asked of both, and what they say: figures, and in one word each what was found.
fn said<M>(model: &M) -> (Report<M>, Vec<u64>, Vec<String>)
where
    M: Model<State = actor::State<Random, u8>, Action = Action<u8, bool>>,
{
    let quiet = prop("quiet", |s: &M::State| s.messages().count() == 0);
    let of = |action: &Action<u8, bool>, me: &Id| match action {
        Action::Deliver(envelope) => envelope.to == *me,
        Action::Timeout(who, _) => who == me,
        _ => false,
    };
    let report = Check::of(model)
        .always("all up", |s| s.actors.iter().all(|local| local.is_up))
        .reachable("two", |s| s.actors.iter().all(|local| local.state == 2))
        .ends_only_in("no end", |_| false)
        .holds("quiet", lariat::always(eventually(quiet.clone())))
        .holds("busy", !eventually(lariat::always(quiet)))
        .weakly_fair_each(0..2, of)
        .strongly_fair("2", move |action| of(action, &2))
        .max_states(900)
        .run();
    let stats = &report.stats;
    let figures = vec![stats.states, stats.transitions, stats.depth, stats.ends, stats.beyond];
    let word = |verdict: &Verdict<M>| match verdict {
        Verdict::Violated(run) if run.back_to.is_none() => format!("in {}", run.actions.len()),
        Verdict::Violated(_) => "violated".to_owned(),
        Verdict::Reached(run) => format!("in {}", run.actions.len()),
        Verdict::Holds => "holds".to_owned(),
        Verdict::Unreachable => "unreachable".to_owned(),
        Verdict::Inconclusive(Reason::Limit(_) | Reason::NoInitialState) => "unknown".to_owned(),
        _ => panic!("{report}"),
    };
    let words = report.findings.iter().map(|finding| word(&finding.verdict)).collect();
    (report, figures, words)
}

/// All is said by both engines; and every state is expanded by both, as long as there are less than a thousand.
#[test]
fn both_engines_on_random_actors() {
    let networks = [
        Network::Unordered { loses: false, duplicates: false },
        Network::Unordered { loses: true, duplicates: false },
        Network::Unordered { loses: false, duplicates: true },
        Network::Unordered { loses: true, duplicates: true },
        Network::Ordered { loses: false },
        Network::Ordered { loses: true },
    ];
    let (mut states, mut finished) = (0, 0);
    for seed in 0..20 {
        for network in networks {
            for crashes in [0, 1] {
                let actors = (0..3).map(|me| Random(seed * 7 + me));
                let system: Seen = System::new(actors, network)
                    .recording(0_u8, |seen, event| *seen = (*seen + event_number(&event)) % 3)
                    .crashes(crashes)
                    .within(|s| s.messages().count() <= 2);
                let (report, figures, words) = said(&system);
                let (plain, plain_figures, plain_words) = said(&Plain(&system));
                let what = format!("seed {seed} {network:?} {crashes}\n{report}\n{plain}");
                states += report.stats.states;
                if words.iter().chain(&plain_words).any(|word| word == "unknown") {
                    continue;
                }
                assert_eq!((figures, words), (plain_figures, plain_words), "{what}");
                finished += 1;
            }
        }
    }
    assert!(states > 10_000 && finished > 50, "{states} {finished}");
}

fn event_number(event: &lariat::actor::Event<'_, u8>) -> u8 {
    match event {
        lariat::actor::Event::Sent(sent) => 1 + sent.message,
        lariat::actor::Event::Received(_) => 1,
    }
}

/// Sends three numbers; the other end notes them.
struct Stream;

impl Actor for Stream {
    type State = Vec<u8>;
    type Message = u8;
    type Timer = ();
    fn start(&self, me: Id, out: &mut OutOf<Self>) -> Vec<u8> {
        if me == 0 {
            (0..3).for_each(|number| out.send(1, number));
        }
        Vec::new()
    }
    fn receive(&self, _: Id, state: &mut Vec<u8>, _: Id, number: &u8, out: &mut OutOf<Self>) {
        if state.len() < 4 {
            state.push(*number);
            out.save(state.clone());
        }
    }
    fn recover(&self, _: Id, saved: Option<&Vec<u8>>, _: &mut OutOf<Self>) -> Vec<u8> {
        saved.cloned().unwrap_or_default()
    }
}

fn seen(network: Network, numbers: &'static [u8]) -> bool {
    let system = System::new([Stream, Stream], network);
    let report = Check::of(&system).reachable("seen", move |s| s.actors[1].state == numbers).run();
    matches!(report.finding("seen").verdict, Verdict::Reached(_))
}

#[test]
fn networks() {
    let unordered = |loses, duplicates| Network::Unordered { loses, duplicates };
    let ordered = |loses| Network::Ordered { loses };
    assert!(seen(unordered(false, false), &[2, 0, 1]) && !seen(unordered(false, false), &[1, 1]));
    assert!(seen(unordered(false, true), &[1, 1, 0, 1]));
    assert!(seen(ordered(false), &[0, 1, 2]) && !seen(ordered(false), &[1]));
    assert!(seen(ordered(true), &[0, 2]) && !seen(ordered(true), &[2, 0]));
    let comes = |loses| {
        let system = System::new([Stream, Stream], unordered(loses, false));
        let all =
            eventually(prop("all", |s: &lariat::actor::State<Stream>| s.actors[1].len() == 3));
        let report = Check::of(&system).holds("all", all).run();
        matches!(report.finding("all").verdict, Verdict::Holds)
    };
    assert!(comes(false) && !comes(true));
}

#[test]
fn crash_and_recovery() {
    let network = Network::Ordered { loses: false };
    let system = System::new([Stream, Stream], network).crashes(1);
    let report = Check::of(&system)
        .always("one at a time", |s| s.actors.iter().filter(|local| !local.is_up).count() <= 1)
        .always("nothing saved is lost", |s| {
            s.actors[1].saved.as_ref().is_none_or(|saved| *saved == **s.actors[1])
        })
        .reachable("down with two", |s| !s.actors[1].is_up && s.actors[1].len() == 2)
        .eventually("all", |s| s.actors[1].len() == 3)
        .run();
    // Somebody may go up and down for ever.
    report.assert_violated("all");
    assert!(
        report.findings.iter().filter(|finding| !finding.verdict.is_ok()).count() == 1,
        "{report}"
    );
    Check::of(&system)
        .eventually("all", |s| s.actors[1].len() == 3)
        .strongly_fair("deliver", |action| matches!(action, Action::Deliver(_)))
        .strongly_fair("recover", |action| matches!(action, Action::Recover(1)))
        .run()
        .assert_ok();
}

/// A run shows what was delivered.
#[test]
fn runs_of_actors() {
    let system = System::new([Stream, Stream], Network::Ordered { loses: false });
    let report = Check::of(&system).always("at most one", |s| s.actors[1].len() <= 1).run();
    let run = report.assert_violated("at most one");
    assert!(
        matches!(&run.actions[0], Action::Deliver(e) if (e.from, e.to, e.message) == (0, 1, 0))
    );
    assert!(report.to_string().contains("Deliver(0→1 1)"), "{report}");
}

#[test]
fn charts() {
    let network = Network::Unordered { loses: true, duplicates: false };
    let system = System::new([Stream, Stream], network).crashes(1);
    let check = || {
        Check::of(&system).always("never twice", |s| s.actors[1].len() < 2).holds(
            "all",
            eventually(prop("all", |s: &actor::State<Stream>| s.actors[1].len() == 3)),
        )
    };
    let report = check().run();
    let shown = system.chart(report.assert_violated("never twice"));
    let expected = [
        "      actor 0       actor 1",
        "      ├ ▷ →1 0      │",
        "      ├ ▷ →1 1      │",
        "      ├ ▷ →1 2      │",
        "1     ├┄┄┄┄┄ 0 ┄┄┄┄▶│",
        "2     ├┄┄┄┄┄ 1 ┄┄┄┄▶│",
        "",
    ];
    let expected = expected.join("\n");
    assert_eq!(shown, expected, "{shown}");
    let lasso = system.chart(report.assert_violated("all"));
    assert!(lasso.contains("then "), "{lasso}");
    let svg = system.chart_svg(report.assert_violated("never twice"), "a <title>");
    assert!(svg.starts_with("<svg") && svg.contains("a &lt;title&gt;"), "{svg}");
    assert_eq!(svg.matches("class=\"message\"").count(), 3, "{svg}");

    let (text, code) = check().command_with(["--msc"].into_iter());
    assert!(code == 1 && text.contains(&format!("\nnever twice:\n{expected}")), "{text}");
    let file = std::env::temp_dir().join(format!("lariat-chart-{}.svg", std::process::id()));
    let name = file.to_str().expect("a plain name");
    assert_eq!(check().command_with(["--svg", name].into_iter()).1, 1);
    let written = std::fs::read_to_string(&file).expect("it was written");
    std::fs::remove_file(&file).expect("it is there");
    assert!(written.contains("never twice"), "{written}");
    let (text, code) = check().command_with(["--svg", "/no/such/folder/x.svg"].into_iter());
    assert!(code == 2 && text.starts_with("error: /no/such/folder/x.svg"), "{text}");
    assert_eq!(check().command_with(["--msc", "--json"].into_iter()).1, 2);
}

#[test]
fn no_charts_without_messages() {
    let graph = crate::support::Graph::new(0, &[(0, 1)]);
    let check = Check::of(&graph).always("zero", |&s| s == 0);
    let (text, code) = check.command_with(["--msc"].into_iter());
    assert!(code == 2 && text.contains("no messages to draw"), "{text}");
}
