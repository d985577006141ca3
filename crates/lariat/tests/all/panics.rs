//! Models that panic, and models that are none.

use lariat::{Check, Model, Reason, State, Steps, Verdict, eventually, prop};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts up, and fails on the way.
struct Fragile;
impl Model for Fragile {
    type State = u32;
    type Action = &'static str;
    fn initial(&self) -> Vec<u32> {
        vec![0]
    }
    fn steps(&self, _: &u32, to: &mut Steps<'_, Self>) {
        to.step("up", |s| {
            assert!(*s != 7, "{s} is too much");
            *s += 1;
        });
    }
}

fn panicked<M: Model>(report: &lariat::Report<M>) -> (&str, usize) {
    match &report.finding("no panic").verdict {
        Verdict::Panicked(text, run) => (text, run.states.len()),
        _ => panic!("{report}"),
    }
}

#[test]
fn in_steps() {
    let report = Check::of(&Fragile).always("any", |_| true).always("small", |&s| s < 5).run();
    assert_eq!(panicked(&report), ("7 is too much", 8));
    assert_eq!(report.code(), 1);
    report.assert_violated("small");
    let any = &report.finding("any").verdict;
    assert!(matches!(any, Verdict::Inconclusive(Reason::Panic(_))));
    // A temporal search finds the way to it, too.
    let report = Check::of(&Fragile).eventually("never", |_| false).run();
    assert_eq!(panicked(&report), ("7 is too much", 8));
}

#[test]
fn in_a_test() {
    let report =
        Check::of(&Fragile).always("fine", |&s| if s == 3 { panic!("oh") } else { true }).run();
    assert_eq!(panicked(&report), ("oh", 4));
    let fine = prop("fine", |&s: &u32| if s == 3 { panic!("oh") } else { false });
    let report = Check::of(&Fragile).holds("fine", eventually(fine)).run();
    assert_eq!(panicked(&report), ("oh", 4));
    let ends = Check::of(&Ends).ends_only_in("fine", |_| panic!("oh")).run();
    assert_eq!(panicked(&ends), ("oh", 2));
}

struct Ends;
impl Model for Ends {
    type State = u32;
    type Action = ();
    fn initial(&self) -> Vec<u32> {
        vec![0]
    }
    fn steps(&self, s: &u32, to: &mut Steps<'_, Self>) {
        to.step_if((), |s| {
            *s += 1;
            *s < 2
        });
        assert!(*to.state() == *s);
    }
}

#[test]
fn in_initial() {
    struct None;
    impl Model for None {
        type State = u32;
        type Action = ();
        fn initial(&self) -> Vec<u32> {
            panic!("nothing")
        }
        fn steps(&self, _: &u32, _: &mut Steps<'_, Self>) {}
    }
    let report = Check::of(&None).always("any", |_| true).eventually("any other", |_| true).run();
    for name in ["any", "any other"] {
        let verdict = &report.finding(name).verdict;
        assert!(matches!(verdict, Verdict::Inconclusive(Reason::Panic(text)) if text == "nothing"));
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Unhashable(u32);
impl Hash for Unhashable {
    fn hash<H: Hasher>(&self, to: &mut H) {
        assert!(self.0 < 4, "no hash for {}", self.0);
        self.0.hash(to);
    }
}
impl State for Unhashable {}

#[test]
fn in_hash() {
    struct Count;
    impl Model for Count {
        type State = Unhashable;
        type Action = ();
        fn initial(&self) -> Vec<Unhashable> {
            vec![Unhashable(0)]
        }
        fn steps(&self, _: &Unhashable, to: &mut Steps<'_, Self>) {
            to.step((), |s| s.0 += 1);
        }
    }
    let report = Check::of(&Count).always("any", |_| true).run();
    assert_eq!(panicked(&report), ("no hash for 4", 4));
}

/// Steps that depend on something else than the state.
#[test]
fn no_function_of_the_state() {
    struct Moody(AtomicU32);
    impl Model for Moody {
        type State = u32;
        type Action = u32;
        fn initial(&self) -> Vec<u32> {
            vec![0]
        }
        fn steps(&self, _: &u32, to: &mut Steps<'_, Self>) {
            let mood = self.0.fetch_add(1, Ordering::Relaxed);
            to.step(mood, |s| *s = mood);
        }
    }
    let report = Check::of(&Moody(AtomicU32::new(0))).always("any", |_| true).run();
    let verdict = &report.finding("any").verdict;
    assert!(matches!(verdict, Verdict::Inconclusive(Reason::Broken(_))), "{report}");
    assert!(report.to_string().contains("no function of the state"), "{report}");
    assert_eq!(report.code(), 2);
}

/// `Eq` and `Hash` that disagree.
#[test]
fn a_clone_with_another_hash() {
    #[derive(Debug)]
    struct Odd(u32, u32);
    impl Clone for Odd {
        fn clone(&self) -> Self {
            Odd(self.0, self.1 + 1)
        }
    }
    impl PartialEq for Odd {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    impl Eq for Odd {}
    impl Hash for Odd {
        fn hash<H: Hasher>(&self, to: &mut H) {
            self.1.hash(to);
        }
    }
    impl State for Odd {}
    struct Count;
    impl Model for Count {
        type State = Odd;
        type Action = ();
        fn initial(&self) -> Vec<Odd> {
            vec![Odd(0, 0)]
        }
        fn steps(&self, s: &Odd, to: &mut Steps<'_, Self>) {
            if s.0 < 3 {
                to.step((), |s| s.0 += 1);
            }
        }
    }
    let report = Check::of(&Count).always("any", |_| true).run();
    assert!(report.to_string().contains("another hash"), "{report}");
}
