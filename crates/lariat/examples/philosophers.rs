//! Dining philosophers, with and without a left-handed one: an exercise, written from `docs/rust.md` alone.

use lariat::{Check, Model, Report, Steps, prop};

/// So many philosophers, and whether the first one is left-handed.
pub struct Dinner(usize, bool);

impl Dinner {
    /// The forks of a philosopher, in the order in which they are taken.
    fn forks(&self, who: usize) -> [usize; 2] {
        let [left, right] = [who, (who + 1) % self.0];
        if self.1 && who == 0 { [left, right] } else { [right, left] }
    }
}

impl Model for Dinner {
    /// How far each philosopher is: 0 thinks, 1 is hungry, 2 has a fork, 3 eats.
    type State = Vec<usize>;
    /// Who goes on, from where.
    type Action = (usize, usize);
    fn initial(&self) -> Vec<Vec<usize>> {
        vec![vec![0; self.0]]
    }
    fn steps(&self, at: &Vec<usize>, to: &mut Steps<'_, Self>) {
        let has = |who: usize, fork| self.forks(who)[..at[who].saturating_sub(1)].contains(&fork);
        for who in 0..self.0 {
            let wanted = self.forks(who).get(at[who].wrapping_sub(1)).copied();
            if wanted.is_none_or(|fork| (0..self.0).all(|other| !has(other, fork))) {
                to.step((who, at[who]), |at| at[who] = (at[who] + 1) % 4);
            }
        }
    }
}

/// Nobody must get hungry; whoever is goes on if that is possible for ever, or again and again.
pub fn check(dinner: &Dinner, is_strong: bool) -> Report<Dinner> {
    let mut check = Check::of(dinner).ends_only_in("no deadlock", |_| false);
    for who in 0..dinner.0 {
        let is_hungry = prop(format!("{who} is hungry"), move |at: &Vec<usize>| at[who] == 1);
        let eats = prop(format!("{who} eats"), move |at: &Vec<usize>| at[who] == 3);
        check = check.holds(format!("{who} is served"), is_hungry.leads_to(eats));
    }
    let goes_on = |&(who, from): &(usize, usize), me: &usize| who == *me && from > 0;
    match is_strong {
        true => check.strongly_fair_each(0..dinner.0, goes_on).run(),
        false => check.weakly_fair_each(0..dinner.0, goes_on).run(),
    }
}

pub fn main() {
    println!("{}", check(&Dinner(4, true), true));
}

#[test]
fn strong_fairness_is_needed_and_enough() {
    let alike = check(&Dinner(4, false), true);
    assert_eq!(alike.assert_violated("no deadlock").actions.len(), 8);
    check(&Dinner(4, true), false).assert_violated("0 is served");
    check(&Dinner(4, true), true).assert_ok();
}
