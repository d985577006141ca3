//! Dining philosophers, all right-handed and with a left-handed one, by a reader of `docs/rust.md` alone.
use lariat::{Check, Model, State, Steps, prop};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, State)]
struct Table {
    hungry: [bool; 4],
    has: [usize; 4],  // how many forks each philosopher holds
    taken: [bool; 4], // is this fork off the table?
}
struct Dinner([[usize; 2]; 4]); // the forks of each philosopher, in the order of taking them

impl Model for Dinner {
    type State = Table;
    type Action = (&'static str, usize);
    fn initial(&self) -> Vec<Table> {
        vec![Table::default()]
    }
    fn steps(&self, table: &Table, to: &mut Steps<'_, Self>) {
        for (me, forks) in self.0.into_iter().enumerate() {
            if !table.hungry[me] {
                to.step(("hunger", me), |t| t.hungry[me] = true);
            } else if table.has[me] == 2 {
                to.step(("done", me), |t| {
                    (t.hungry[me], t.has[me]) = (false, 0);
                    forks.into_iter().for_each(|fork| t.taken[fork] = false);
                });
            } else if !table.taken[forks[table.has[me]]] {
                to.step(("take", me), |t| {
                    t.taken[forks[t.has[me]]] = true;
                    t.has[me] += 1;
                });
            }
        }
    }
}

fn check(dinner: &Dinner) -> Check<'_, Dinner> {
    let check = Check::of(dinner)
        .ends_only_in("no deadlock", |_| false)
        .always("apart", |t| (1..5).all(|i| t.has[i - 1] + t.has[i % 4] < 4))
        .reachable("two eat", |t| t.has[0] + t.has[2] == 4);
    (0..4).fold(check, |check, i| {
        let eats = prop("eats", move |t: &Table| t.has[i] == 2);
        let hungry = prop("hungry", move |t: &Table| t.hungry[i]);
        check.holds(format!("{i} is fed"), hungry.leads_to(eats))
    })
}

#[cfg_attr(test, test)]
fn main() {
    let right = check(&Dinner([[0, 1], [1, 2], [2, 3], [3, 0]])).run();
    let mixed = Dinner([[0, 1], [1, 2], [2, 3], [0, 3]]);
    let goes_on = |a: &(&'static str, usize), me: &usize| a.1 == *me && a.0 != "hunger";
    let weak = check(&mixed).weakly_fair_each(0..4, goes_on).run();
    let strong = check(&mixed).strongly_fair_each(0..4, goes_on).run();
    print!("{right}\n{weak}\n{strong}");
    assert_eq!(right.assert_violated("no deadlock").actions.len(), 8);
    (0..4).for_each(|i| _ = weak.assert_violated(&format!("{i} is fed")));
    strong.assert_ok();
}
