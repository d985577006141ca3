//! Nested depth-first searches on state-based Büchi acceptance.

pub mod se;

use crate::dfs::Dfs;
use lariat_core::{Batch, Lasso, Run, States};

/// The run along the blue stack and then the red one, closed at `knot`, which is on one of
/// them (SE §3.2: read the two call stacks). The red stack's root is the blue stack's top or
/// the state that blue has just left.
#[cold]
fn lasso_of_stacks<S: States, B: Batch, P: Copy, Q: Copy>(
    store: &S,
    blue: &Dfs<S::Id, B, P>,
    red: &Dfs<S::Id, B, Q>,
    knot: S::Id,
) -> Lasso {
    let knot: &[u32] = store.row(knot).as_ref();
    let (mut prefix, mut cycle) = (Run::new(knot.len()), Run::new(knot.len()));
    for id in blue.path().chain(red.path()) {
        let state: &[u32] = store.row(id).as_ref();
        if cycle.is_empty() && state != knot {
            prefix.push(state);
        } else {
            cycle.push(state);
        }
    }
    Lasso { prefix, cycle }
}
