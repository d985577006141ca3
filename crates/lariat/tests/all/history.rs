//! Testers of histories against all permutations.

use lariat::history::{Consistency, History, Object, Register, RegisterOp};
use lariat_ltl::random::Rng;

/// An operation of a client: when it began, when it has returned, and with what.
#[derive(Clone, Debug)]
struct Operation {
    client: usize,
    op: RegisterOp<u8>,
    began: usize,
    returned: Option<(usize, Option<u8>)>,
}

/// By definition: some order of all operations that have returned, and of some that have not, in which
/// each returns what it has returned, and that keeps the order that is asked for.
fn is_explained(operations: &[Operation], consistency: Consistency) -> bool {
    fn go(left: &mut Vec<&Operation>, register: &Register<u8>, consistency: Consistency) -> bool {
        if left.iter().all(|operation| operation.returned.is_none()) {
            return true;
        }
        for at in 0..left.len() {
            let next = left[at];
            let comes_first = |other: &&Operation| {
                let before = other.returned.is_some_and(|(when, _)| when < next.began);
                before && (other.client == next.client || consistency == Consistency::Linearizable)
            };
            if left.iter().any(comes_first) {
                continue;
            }
            let mut register = register.clone();
            let ret = register.apply(&next.op);
            if next.returned.as_ref().is_some_and(|(_, expected)| *expected != ret) {
                continue;
            }
            left.remove(at);
            let found = go(left, &register, consistency);
            left.insert(at, next);
            if found {
                return true;
            }
        }
        false
    }
    go(&mut operations.iter().collect(), &Register(0), consistency)
}

#[test]
fn against_all_permutations() {
    for consistency in [Consistency::Linearizable, Consistency::Sequential] {
        let (mut consistent, mut not) = (0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let mut history = History::new(Register(0), consistency);
            let mut operations: Vec<Operation> = Vec::new();
            let mut open: [Option<usize>; 3] = [None; 3];
            for time in 0..3 + rng.below(8) {
                let client = rng.below(3);
                match open[client].take() {
                    None => {
                        let write = RegisterOp::Write(1 + rng.below(2) as u8);
                        let op = if rng.coin() { RegisterOp::Read } else { write };
                        history.invoke(client, op.clone());
                        open[client] = Some(operations.len());
                        operations.push(Operation { client, op, began: time, returned: None });
                    }
                    Some(at) => {
                        let ret = match operations[at].op {
                            RegisterOp::Read => Some(rng.below(3) as u8),
                            RegisterOp::Write(_) => None,
                        };
                        history.returns(client, ret);
                        operations[at].returned = Some((time, ret));
                    }
                }
                let expected = is_explained(&operations, consistency);
                assert_eq!(history.is_consistent(), expected, "seed {seed}: {operations:?}");
            }
            match history.is_consistent() {
                true => consistent += 1,
                false => not += 1,
            }
        }
        assert!(consistent > 50 && not > 50, "{consistent} {not}");
    }
}

/// What is sequentially consistent and not linearizable.
#[test]
fn a_stale_read() {
    for (consistency, expected) in
        [(Consistency::Linearizable, false), (Consistency::Sequential, true)]
    {
        let mut history = History::new(Register('a'), consistency);
        history.invoke(0, RegisterOp::Write('b'));
        history.returns(0, None);
        history.invoke(1, RegisterOp::Read);
        history.returns(1, Some('a'));
        assert_eq!(history.is_consistent(), expected);
        assert_eq!(history.returned(), 2);
    }
}
