use lariat::{Model, Steps};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counter {
    n: u32,
}

struct Count;

impl Model for Count {
    type State = Counter;
    type Action = ();
    fn initial(&self) -> Vec<Counter> {
        vec![Counter { n: 0 }]
    }
    fn steps(&self, _: &Counter, to: &mut Steps<'_, Self>) {
        to.step((), |counter| counter.n += 1);
    }
}

fn main() {}
