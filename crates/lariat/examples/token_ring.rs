//! Dijkstra, *Self-stabilizing systems in spite of distributed control*, 1974: a ring of machines with K
//! states each comes to have one privilege, wherever it begins.

use lariat::{Check, Model, Report, State, Steps, always, eventually, prop};
use std::process::ExitCode;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub struct Ring {
    #[state(each)]
    machines: Vec<u8>,
}

impl Ring {
    fn has_privilege(&self, at: usize) -> bool {
        match at {
            0 => self.machines[0] == self.machines[self.machines.len() - 1],
            _ => self.machines[at] != self.machines[at - 1],
        }
    }

    fn is_legal(&self) -> bool {
        (0..self.machines.len()).filter(|&at| self.has_privilege(at)).count() == 1
    }
}

pub struct TokenRing {
    pub machines: usize,
    pub states: u8,
}

impl Model for TokenRing {
    type State = Ring;
    type Action = usize;

    /// All of them.
    fn initial(&self) -> Vec<Ring> {
        let mut rings = vec![Ring { machines: Vec::new() }];
        for _ in 0..self.machines {
            let longer = |ring: &Ring| -> Vec<Ring> {
                let with = |state| Ring { machines: [&ring.machines[..], &[state]].concat() };
                (0..self.states).map(with).collect()
            };
            rings = rings.iter().flat_map(longer).collect();
        }
        rings
    }

    fn steps(&self, ring: &Ring, to: &mut Steps<'_, Self>) {
        for at in (0..self.machines).filter(|&at| ring.has_privilege(at)) {
            to.step(at, |ring| {
                ring.machines[at] = match at {
                    0 => (ring.machines[0] + 1) % self.states,
                    _ => ring.machines[at - 1],
                };
            });
        }
    }
}

pub fn check(ring: &TokenRing) -> Report<TokenRing> {
    let legal = prop("legal", Ring::is_legal);
    Check::of(ring)
        .ends_only_in("never ends", |_| false)
        .holds("closure", always(legal.clone().implies(always(legal.clone()))))
        .holds("convergence", eventually(legal))
        .run()
}

pub fn main() -> ExitCode {
    let report = check(&TokenRing { machines: 5, states: 5 });
    print!("{report}");
    report.exit_code()
}

#[test]
fn enough_states() {
    let report = check(&TokenRing { machines: 4, states: 4 });
    report.assert_ok();
    assert_eq!((report.stats.states, report.stats.initial), (256, 256));
    check(&TokenRing { machines: 4, states: 3 }).assert_ok();
    // Two are too few for four machines.
    check(&TokenRing { machines: 4, states: 2 }).assert_violated("convergence");
}
