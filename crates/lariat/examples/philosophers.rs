//! Dining philosophers, with and without a left-handed one.

use lariat::{Check, Model, Report, Steps, always, eventually, prop};

pub struct Dinner {
    pub seats: usize,
    pub has_left_handed: bool,
}

impl Model for Dinner {
    /// By fork: who has it.
    type State = Vec<Option<usize>>;
    /// Who takes a fork, or returns both.
    type Action = usize;

    fn initial(&self) -> Vec<Self::State> {
        vec![vec![None; self.seats]]
    }

    fn steps(&self, forks: &Self::State, to: &mut Steps<'_, Self>) {
        for me in 0..self.seats {
            let (mut first, mut second) = (me, (me + 1) % self.seats);
            if me == 0 && self.has_left_handed {
                (first, second) = (second, first);
            }
            match (forks[first] == Some(me), forks[second]) {
                (true, Some(who)) if who == me => {
                    to.step(me, |forks| (forks[first], forks[second]) = (None, None));
                }
                (true, None) => to.step(me, |forks| forks[second] = Some(me)),
                (false, _) if forks[first].is_none() => {
                    to.step(me, |forks| forks[first] = Some(me));
                }
                _ => {}
            }
        }
    }
}

pub fn check(dinner: &Dinner, is_strong: bool) -> Report<Dinner> {
    let eats = prop("0 eats", |forks: &Vec<_>| forks[..2] == [Some(0); 2]);
    let check = Check::of(dinner)
        .ends_only_in("no deadlock", |_| false)
        .holds("0 eats again and again", always(eventually(eats)));
    match is_strong {
        true => check.strongly_fair_each(0..dinner.seats, |who, me| who == me).run(),
        false => check.weakly_fair_each(0..dinner.seats, |who, me| who == me).run(),
    }
}

pub fn main() {
    print!("{}", check(&Dinner { seats: 4, has_left_handed: false }, true));
    print!("{}", check(&Dinner { seats: 4, has_left_handed: true }, false));
    print!("{}", check(&Dinner { seats: 4, has_left_handed: true }, true));
}

#[test]
fn strong_fairness_is_needed_and_enough() {
    for seats in [3, 4] {
        let report = check(&Dinner { seats, has_left_handed: false }, true);
        assert_eq!(report.assert_violated("no deadlock").actions.len(), seats);
        report.assert_violated("0 eats again and again");
        let left_handed = Dinner { seats, has_left_handed: true };
        check(&left_handed, false).assert_violated("0 eats again and again");
        check(&left_handed, true).assert_ok();
    }
}
