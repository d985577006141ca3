//! Shortcuts: a model with fewer states and the same verdicts.
//!
//! Each pass keeps the commands and control points of the model, so that a run of the smaller
//! model names a run of the given one ([`retrace`]); only what commands do changes. Switch
//! them off one by one by [`Shortcuts`].
//!
//! | pass | what | preserves |
//! |---|---|---|
//! | `fold` | constants | everything, also the counts |
//! | `slice` | assignments that nobody needs | every property over the visible expressions |
//! | `dead` | variables that are not read any more are 0, those that are never read keep their first value | the same |
//! | `merge` | steps go on at once through what concerns nobody else | properties without X |

mod dead;
mod fold;
mod merge;
mod range;
mod retrace;
mod slice;
mod unread;

pub use retrace::{Lost, Retraced, retrace};

use crate::analysis::read_from_outside;
use crate::ir::{ExprId, Model};

/// Which passes run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
    pub fold: bool,
    pub slice: bool,
    pub dead_variables: bool,
    /// For properties that do not count steps: no X, no fairness.
    pub merge: bool,
}

impl Shortcuts {
    pub const ALL: Shortcuts =
        Shortcuts { fold: true, slice: true, dead_variables: true, merge: true };
    pub const NONE: Shortcuts =
        Shortcuts { fold: false, slice: false, dead_variables: false, merge: false };
}

/// How much each pass found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// Expressions that became constants.
    pub folded: usize,
    /// Commands that compute less.
    pub sliced: usize,
    /// Assignments to variables that nobody ever reads.
    pub unread: usize,
    /// Control points with dead variables.
    pub dead: usize,
    /// Commands after which the process goes on at once.
    pub merged: usize,
}

/// Applies the passes. `visible` are all expressions, besides those of the model itself, whose
/// value a property depends on.
pub fn apply(model: &mut Model, visible: &[ExprId], which: Shortcuts) -> Applied {
    let mut applied = Applied::default();
    if which.fold {
        applied.folded = fold::fold(model);
    }
    if which.slice {
        applied.sliced = slice::slice(model, visible);
    }
    if let Some(outside) = read_from_outside(model).filter(|_| which.dead_variables) {
        applied.unread = unread::forget(model, visible);
        applied.dead = dead::mark(model, &outside);
    }
    if which.merge {
        applied.merged = merge::merge(model, visible);
    }
    applied
}
