//! Symmetry: orbits counted, runs unfolded, mistakes found.

use lariat::{Check, Model, Reason, State, Steps, Verdict, eventually, prop};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Rm {
    Working,
    Prepared,
    Committed,
    Aborted,
}

/// A manager: its state, whether it has sent that it is prepared, and whether the coordinator has heard.
type Manager = (Rm, bool, bool);

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Commit {
    managers: Vec<Manager>,
    coordinator: Rm,
}

struct TwoPhaseCommit {
    managers: usize,
    is_symmetric: bool,
}

impl Model for TwoPhaseCommit {
    type State = Commit;
    type Action = (usize, Rm);
    fn initial(&self) -> Vec<Commit> {
        let managers = vec![(Rm::Working, false, false); self.managers];
        vec![Commit { managers, coordinator: Rm::Working }]
    }
    fn steps(&self, s: &Commit, to: &mut Steps<'_, Self>) {
        if s.coordinator == Rm::Working {
            if s.managers.iter().all(|manager| manager.2) {
                to.step((self.managers, Rm::Committed), |s| s.coordinator = Rm::Committed);
            }
            to.step((self.managers, Rm::Aborted), |s| s.coordinator = Rm::Aborted);
        }
        for i in 0..self.managers {
            let (state, has_sent, _) = s.managers[i];
            if s.coordinator == Rm::Working && has_sent {
                to.step((i, Rm::Working), |s| s.managers[i].2 = true);
            }
            if state == Rm::Working {
                to.step((i, Rm::Prepared), |s| {
                    (s.managers[i].0, s.managers[i].1) = (Rm::Prepared, true);
                });
                to.step((i, Rm::Aborted), |s| s.managers[i].0 = Rm::Aborted);
            }
            if s.coordinator != Rm::Working {
                to.step((i, s.coordinator), |s| s.managers[i].0 = s.coordinator);
            }
        }
    }
    fn canonical(&self, s: &mut Commit) {
        if self.is_symmetric {
            s.managers.sort_unstable();
        }
    }
}

fn count(managers: usize, is_symmetric: bool) -> u64 {
    let model = TwoPhaseCommit { managers, is_symmetric };
    let has = |s: &Commit, what| s.managers.iter().any(|manager| manager.0 == what);
    let report = Check::of(&model)
        .always("consistent", move |s| !(has(s, Rm::Aborted) && has(s, Rm::Committed)))
        .run();
    report.assert_ok();
    report.stats.states
}

/// Stateright's representatives are not all distinct: 665, 7,153 and 30,904.
#[test]
fn orbits() {
    assert_eq!((count(3, false), count(5, false)), (288, 8_832));
    assert_eq!((count(5, true), count(8, true), count(10, true)), (314, 1_461, 3_300));
}

/// Two processes that take turns; a run shows them as they are.
struct Turns {
    is_symmetric: bool,
}

impl Model for Turns {
    type State = Vec<u8>;
    type Action = usize;
    fn initial(&self) -> Vec<Vec<u8>> {
        vec![vec![0, 0, 0]]
    }
    /// Whoever is behind may catch up; all together begin anew.
    fn steps(&self, s: &Vec<u8>, to: &mut Steps<'_, Self>) {
        for me in 0..3 {
            if s[me] == 0 {
                to.step(me, |s| {
                    s[me] = 1;
                    if s.iter().filter(|&&at| at == 1).count() == 2 {
                        s.fill(0);
                        s[me] = 1;
                    }
                });
            }
        }
    }
    fn canonical(&self, s: &mut Vec<u8>) {
        if self.is_symmetric {
            s.sort_unstable();
        }
    }
}

#[test]
fn runs_are_unfolded() {
    let model = Turns { is_symmetric: true };
    let report = Check::of(&model)
        .holds("all", eventually(prop("all", |s: &Vec<u8>| s.iter().all(|&at| at == 1))))
        .always("at most one", |s| s.iter().sum::<u8>() <= 1)
        .run();
    let run = report.assert_violated("all");
    // The loop of representatives is one state; the run itself moves.
    let start = run.back_to.unwrap();
    assert!(run.states.len() - start > 1, "{report}");
    assert!(report.finding("at most one").verdict.is_ok());
}

#[test]
fn fairness_is_refused() {
    let fair = |is_symmetric| {
        let model = Turns { is_symmetric };
        let all = eventually(prop("0", |s: &Vec<u8>| s.contains(&1)));
        let report =
            Check::of(&model).holds("all", all).weakly_fair_each(0..3, |a, k| a == k).run();
        match &report.finding("all").verdict {
            Verdict::Holds => None,
            Verdict::Inconclusive(reason) => Some(reason.clone()),
            _ => panic!("{report}"),
        }
    };
    assert_eq!(fair(false), None);
    assert!(matches!(fair(true), Some(Reason::Broken(why)) if why.contains("canonical")));
}

#[test]
fn a_property_must_not_tell_them_apart() {
    let model = Turns { is_symmetric: true };
    let report = Check::of(&model).reachable("first", |s| s[0] == 1).run();
    assert!(report.to_string().contains("tells states apart"), "{report}");
    assert_eq!(report.code(), 2);
}

#[test]
fn it_must_be_idempotent() {
    struct Restless;
    impl Model for Restless {
        type State = u32;
        type Action = ();
        fn initial(&self) -> Vec<u32> {
            vec![0]
        }
        fn steps(&self, s: &u32, to: &mut Steps<'_, Self>) {
            if *s < 100 {
                to.step((), |s| *s += 2);
            }
        }
        fn canonical(&self, s: &mut u32) {
            *s /= 2;
        }
    }
    let report = Check::of(&Restless).always("any", |_| true).run();
    assert!(report.to_string().contains("idempotent"), "{report}");
}
