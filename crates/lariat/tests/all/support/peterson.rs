//! `bench/models/peterson_four.pml` in Rust, statement by statement.

use lariat::{Model, State, Steps};

const N: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub(crate) struct Filter {
    pub(crate) at: [u8; N],
    l: [u8; N],
    level: [u8; N],
    last: [u8; N],
    pub(crate) inside: u8,
}

pub(crate) struct PetersonFour;

impl Model for PetersonFour {
    type State = Filter;
    type Action = usize;

    fn initial(&self) -> Vec<Filter> {
        let zero = [0; N];
        vec![Filter { at: zero, l: zero, level: zero, last: zero, inside: 0 }]
    }

    fn steps(&self, s: &Filter, to: &mut Steps<'_, Self>) {
        for me in 0..N {
            let l = s.l[me];
            match s.at[me] {
                0 => to.step(me, |s| s.at[me] = if usize::from(l) < N - 1 { 1 } else { 5 }),
                1 => to.step(me, |s| (s.l[me], s.at[me]) = (l + 1, 2)),
                2 => to.step(me, |s| (s.level[me], s.at[me]) = (l, 3)),
                3 => to.step(me, |s| (s.last[usize::from(l)], s.at[me]) = (me as u8, 4)),
                4 => {
                    let is_high = |other: usize| other != me && s.level[other] >= l;
                    if usize::from(s.last[usize::from(l)]) != me || !(0..N).any(is_high) {
                        to.step(me, |s| s.at[me] = 0);
                    }
                }
                5 => to.step(me, |s| (s.inside, s.at[me]) = (s.inside + 1, 6)),
                6 => to.step(me, |s| (s.inside, s.at[me]) = (s.inside - 1, 7)),
                7 => to.step(me, |s| (s.level[me], s.at[me]) = (0, 8)),
                _ => to.step(me, |s| (s.l[me], s.at[me]) = (0, 0)),
            }
        }
    }
}
