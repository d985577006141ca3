//! `#[derive(State)]`: generics, names, kinds of types.

use lariat::{Check, Model, State, Steps};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

/// Names that a macro might use itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
#[allow(non_snake_case)]
struct Names {
    at: u8,
    row: u8,
    out: u8,
    value: u8,
    r#type: u8,
    Parts: u8,
    __row: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Pair<A, B, const N: usize>
where
    B: Ord,
{
    first: A,
    #[state(each)]
    others: [B; N],
    map: BTreeMap<B, A>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
enum Kind<T> {
    None,
    Some(T),
    Both { a: T, b: T },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Tuple(u8, Option<u8>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Empty {}

/// Any state, and a few changes of it.
struct Changes<S>(S, Vec<fn(&mut S)>);

impl<S: State> Model for Changes<S> {
    type State = S;
    type Action = usize;
    fn initial(&self) -> Vec<S> {
        vec![self.0.clone()]
    }
    fn steps(&self, _: &S, to: &mut Steps<'_, Self>) {
        for (at, change) in self.1.iter().enumerate() {
            to.step(at, change);
        }
    }
}

fn count<S: State>(state: S, changes: Vec<fn(&mut S)>) -> u64 {
    let model = Changes(state, changes);
    let report = Check::of(&model).always("any", |_| true).run();
    report.assert_ok();
    report.stats.states
}

#[test]
fn names_that_clash() {
    let state = Names { at: 0, row: 0, out: 0, value: 0, r#type: 0, Parts: 0, __row: 0 };
    let changes: Vec<fn(&mut Names)> = vec![
        |s| s.at ^= 1,
        |s| s.row ^= 1,
        |s| s.out ^= 1,
        |s| s.value ^= 1,
        |s| s.r#type ^= 1,
        |s| s.Parts ^= 1,
        |s| s.__row ^= 1,
    ];
    assert_eq!(count(state, changes), 128);
}

#[test]
fn generics() {
    let state = Pair { first: 'a', others: [false; 3], map: BTreeMap::from([(true, 'x')]) };
    let changes: Vec<fn(&mut Pair<char, bool, 3>)> = vec![
        |s| s.first = if s.first == 'a' { 'b' } else { 'a' },
        |s| s.others[1] = !s.others[1],
        |s| {
            s.map.insert(false, s.first);
        },
    ];
    assert_eq!(count(state, changes), 2 * 2 * 3);
}

#[test]
fn what_is_kept_whole() {
    let changes: Vec<fn(&mut Kind<u8>)> =
        vec![|s| *s = Kind::None, |s| *s = Kind::Some(1), |s| *s = Kind::Both { a: 1, b: 2 }];
    assert_eq!(count(Kind::None, changes), 3);
    assert_eq!(count(Tuple(0, None), vec![|s| s.0 = (s.0 + 1) % 3, |s| s.1 = Some(s.0)]), 12);
    assert_eq!(count(Unit, vec![|_| ()]), 1);
    assert_eq!(count(Empty {}, vec![|_| ()]), 1);
    assert_eq!(count((1_u8, vec![2_u8]), vec![|s| s.1.truncate(0)]), 2);
}

#[test]
fn what_explodes_is_seen() {
    let state = Names { at: 0, row: 0, out: 0, value: 0, r#type: 0, Parts: 0, __row: 0 };
    let model = Changes(state, vec![|s: &mut Names| s.at = (s.at + 1) % 50, |s| s.row ^= 1]);
    let report = Check::of(&model).run();
    assert_eq!(report.stats.states, 100);
    let values = report.stats.values;
    assert_eq!(values[..2], [("at".to_owned(), 50), ("row".to_owned(), 2)]);
}
