#![deny(unused_must_use)]

use lariat::{Check, Model, Steps};

struct Count;

impl Model for Count {
    type State = u32;
    type Action = ();
    fn initial(&self) -> Vec<u32> {
        vec![0]
    }
    fn steps(&self, _: &u32, to: &mut Steps<'_, Self>) {
        to.step((), |n| *n += 1);
    }
}

fn main() {
    Check::of(&Count).always("small", |&n| n < 9);
}
