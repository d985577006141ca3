//! Random formulas in Spin's syntax.

use super::{Rng, Shape};

/// A formula about a model of this shape.
pub fn formula(rng: &mut Rng, shape: &Shape) -> String {
    if rng.chance(25) {
        return pattern(rng, shape);
    }
    let size = 2 + rng.below(6) as u32;
    of_size(rng, shape, size)
}

/// What people write.
fn pattern(rng: &mut Rng, shape: &Shape) -> String {
    let (p, q) = (atom(rng, shape), atom(rng, shape));
    match rng.below(6) {
        0 => format!("[] ({p})"),
        1 => format!("<> ({p})"),
        2 => format!("[] <> ({p})"),
        3 => format!("<> [] ({p})"),
        4 => format!("[] (({p}) -> <> ({q}))"),
        _ => format!("([] <> ({p})) -> ([] <> ({q}))"),
    }
}

fn of_size(rng: &mut Rng, shape: &Shape, size: u32) -> String {
    if size <= 1 {
        return format!("({})", atom(rng, shape));
    }
    if size == 2 || rng.chance(40) {
        let inner = of_size(rng, shape, size - 1);
        // No X: Spin as it is packaged does not take it.
        return format!("({} {inner})", rng.pick(&["[]", "<>", "!"]));
    }
    let left = 1 + rng.below(u64::from(size) - 2) as u32;
    let one = of_size(rng, shape, left);
    let other = of_size(rng, shape, size - 1 - left);
    let operator = rng.pick(&["&&", "||", "->", "<->", "U", "V", "W"]);
    format!("({one} {operator} {other})")
}

/// A test of a state.
fn atom(rng: &mut Rng, shape: &Shape) -> String {
    match rng.below(10) {
        0..=4 => {
            let operator = rng.pick(&["==", "!=", "<", ">"]);
            format!("{} {operator} {}", rng.pick(&["a", "b"]), rng.below(3))
        }
        5 => "a == b".to_owned(),
        6 => "flag".to_owned(),
        7 if shape.has_queue => format!("len(q) == {}", rng.below(2)),
        8 if !shape.labels.is_empty() => {
            let at = rng.below(shape.labels.len() as u64) as usize;
            let (process, label) = &shape.labels[at];
            format!("{process}@{label}")
        }
        _ => format!("a + b == {}", rng.below(4)),
    }
}
