//! The same language, but from most states not closed under stuttering: for tests of what asks for
//! no more than the language.

use crate::{Label, StateId, Tgba};
use rustc_hash::FxHashMap;

/// What a run guesses of the block of equal letters that it is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Guess {
    /// No letter was read.
    Start,
    /// So many more of this letter come, up to multiples of the modulus.
    More(u64, u32),
    /// The block has no end.
    Endless(u64),
}

/// The product with an automaton that accepts every word, and guesses at the start of each block of
/// equal letters its length modulo `modulus`. There is a letter for each valuation, so propositions
/// should be few.
pub fn twisted(tgba: &Tgba, modulus: u32) -> Tgba {
    let letters = 0..1_u64 << tgba.aps.len();
    let mut out = Tgba { edges: Vec::new(), initial: Vec::new(), ..tgba.clone() };
    out.state_names.clear();
    let mut states: Vec<(StateId, Guess)> =
        tgba.initial.iter().map(|&state| (state, Guess::Start)).collect();
    let mut ids: FxHashMap<(StateId, Guess), StateId> = FxHashMap::default();
    for (number, &state) in states.iter().enumerate() {
        ids.insert(state, number as StateId);
        out.initial.push(number as StateId);
    }
    while out.edges.len() < states.len() {
        let (state, guess) = states[out.edges.len()];
        let own = out.add_state();
        for edge in &tgba.edges[state as usize] {
            for letter in letters.clone().filter(|&letter| edge.label.holds_in(letter)) {
                for next in next(guess, letter, modulus) {
                    let pair = (edge.target, next);
                    let target = *ids.entry(pair).or_insert_with(|| {
                        states.push(pair);
                        (states.len() - 1) as StateId
                    });
                    out.add_edge(
                        own,
                        Label::letter(letter, tgba.aps.len() as u32),
                        edge.marks,
                        target,
                    );
                }
            }
        }
    }
    out
}

fn next(guess: Guess, letter: u64, modulus: u32) -> Vec<Guess> {
    match guess {
        Guess::Endless(last) if last == letter => vec![guess],
        Guess::More(last, more) if last == letter => {
            vec![Guess::More(last, (more + modulus - 1) % modulus)]
        }
        Guess::Start | Guess::More(_, 0) => {
            let lengths = (0..modulus).map(|more| Guess::More(letter, more));
            lengths.chain([Guess::Endless(letter)]).collect()
        }
        Guess::Endless(_) | Guess::More(..) => Vec::new(),
    }
}
