//! The word of a run: the truth of the propositions in each of its states.

use lariat_core::Props;
use lariat_ltl::eval::{Letter, Word};
use lariat_report::execution::Execution;

/// The numbers of the propositions that hold in a state.
fn holding(run: &Execution, at: usize) -> impl Iterator<Item = usize> {
    let propositions = run.propositions.iter().enumerate();
    propositions.filter(move |(_, proposition)| proposition.truth[at]).map(|(ap, _)| ap)
}

/// For formulas.
pub(crate) fn word(run: &Execution) -> Word {
    let letter = |at| {
        let mut letter = Letter::default();
        holding(run, at).for_each(|ap| letter.set(ap as u32));
        letter
    };
    Word { letters: (0..run.state_count()).map(letter).collect(), loop_start: run.prefix().end }
}

/// For automata: the prefix, then the loop.
pub(crate) fn letters(run: &Execution) -> (Vec<Props>, Vec<Props>) {
    let letter = |at| holding(run, at).fold(0, |props: Props, ap| props | 1 << ap);
    let mut prefix: Vec<Props> = (0..run.state_count()).map(letter).collect();
    let cycle = prefix.split_off(run.prefix().end);
    (prefix, cycle)
}
