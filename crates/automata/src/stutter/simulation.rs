//! Fair simulation between automata with several marks, as a game: K. Etessami, Th. Wilke, R. Schuller,
//! "Fair simulation relations, parity games, and state space reduction for Büchi automata", ICALP 2001;
//! solved as in N. Piterman, A. Pnueli, Y. Sa'ar, "Synthesis of reactive(1) designs", VMCAI 2006.
//!
//! One player takes an edge of `other`, the second answers with an edge of `automaton` for the same letter. The
//! second one wins if the first one's run is not accepting, or if both are. If it can win, every word that
//! `other` accepts is accepted: the first player runs over it, and the answers are a run.
//!
//! *Why a pair that is left is won.* `Z[j]` are the pairs from which mark `j` of the answers can be
//! aimed at: each answer has the mark, and the next one is aimed at in `Z[j + 1]`; or it leads to a
//! pair from which this was shown in an earlier round, so with a smaller number; or the edge that is answered
//! lacks mark `i`, and it leads to a pair of the same round and the same `i`. If the aim changes
//! again and again, the answers see all marks. If not, the number falls no more at some time, and from then on
//! the first player's run lacks mark `i`.

use crate::StateId;
use crate::symbolic::{Bdd, Func, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// Answers that are looked at.
const MOST_LOOKS: u64 = 50_000_000;

/// A move of the first player: its marks, and the answers, each with its marks and the next pair.
struct Move {
    marks: Marks,
    answers: Vec<(Marks, u32)>,
}

/// Whether `automaton` can answer every run of `other`. None if it takes too long. The edges of `other` have
/// single letters.
pub(super) fn answers(
    automaton: &Symbolic,
    other: &Symbolic,
    letters: &[Func],
    max_states: usize,
    bdd: &mut Bdd,
) -> Option<bool> {
    let mut game = Game::new(automaton, other, letters, max_states.saturating_mul(10), bdd)?;
    game.is_won()
}

struct Game {
    /// By pair; the first one is the beginning.
    moves: Vec<Vec<Move>>,
    /// Marks of the first player's run and of the answers.
    asked: u32,
    given: u32,
    looks: u64,
}

/// What is known of pairs, each set by pair.
struct Known<'a> {
    next_aim: &'a [bool],
    earlier: &'a [bool],
    same: &'a [bool],
}

impl Game {
    fn new(
        automaton: &Symbolic,
        other: &Symbolic,
        letters: &[Func],
        most_pairs: usize,
        bdd: &mut Bdd,
    ) -> Option<Game> {
        let numbers: FxHashMap<Func, usize> =
            letters.iter().enumerate().map(|(number, &letter)| (letter, number)).collect();
        // By state and letter: the answers.
        let mut table = vec![vec![Vec::new(); letters.len()]; automaton.state_count()];
        for (arcs, answers) in automaton.arcs.iter().zip(&mut table) {
            for (&letter, answers) in letters.iter().zip(answers) {
                let fitting = arcs.iter().filter(|arc| bdd.implies(letter, arc.label));
                answers.extend(fitting.map(|arc| (arc.marks, arc.target)));
            }
        }
        let start = (other.initial, automaton.initial);
        let mut pairs: Vec<(StateId, StateId)> = vec![start];
        let mut ids: FxHashMap<(StateId, StateId), u32> = FxHashMap::default();
        ids.insert(start, 0);
        let mut moves = Vec::new();
        while moves.len() < pairs.len() {
            let (s, t) = pairs[moves.len()];
            let mut of_pair = Vec::new();
            for arc in &other.arcs[s as usize] {
                let answers = &table[t as usize][numbers[&arc.label]];
                let answers = answers.iter().map(|&(marks, target)| {
                    let pair = (arc.target, target);
                    let id = *ids.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        (pairs.len() - 1) as u32
                    });
                    (marks, id)
                });
                of_pair.push(Move { marks: arc.marks, answers: answers.collect() });
            }
            moves.push(of_pair);
            if pairs.len() > most_pairs || bdd.exhausted() {
                return None;
            }
        }
        let (asked, given) = (other.mark_count, automaton.mark_count);
        Some(Game { moves, asked, given, looks: 0 })
    }

    /// Whether each move in a pair has an answer that helps.
    fn helps(&mut self, pair: usize, aim: u32, lacking: u32, known: &Known<'_>) -> bool {
        let looks = &mut self.looks;
        self.moves[pair].iter().all(|asked| {
            asked.answers.iter().any(|&(marks, next)| {
                *looks += 1;
                let next = next as usize;
                known.earlier[next]
                    || marks.has(aim) && known.next_aim[next]
                    || !asked.marks.has(lacking) && known.same[next]
            })
        })
    }

    /// νZ μY νX, one Z for each mark of the answers, one X for each mark that is asked for.
    fn is_won(&mut self) -> Option<bool> {
        let pairs = self.moves.len();
        let mut aims = vec![vec![true; pairs]; self.given as usize];
        loop {
            let mut is_stable = true;
            for aim in 0..self.given {
                let next_aim = aims[((aim + 1) % self.given) as usize].clone();
                let mut earlier = vec![false; pairs];
                loop {
                    let mut now = earlier.clone();
                    for lacking in 0..self.asked {
                        let mut same = aims[aim as usize].clone();
                        loop {
                            let known =
                                Known { next_aim: &next_aim, earlier: &earlier, same: &same };
                            let left: Vec<bool> = (0..pairs)
                                .map(|pair| same[pair] && self.helps(pair, aim, lacking, &known))
                                .collect();
                            if self.looks > MOST_LOOKS {
                                return None;
                            }
                            if left == same {
                                break;
                            }
                            same = left;
                        }
                        now.iter_mut().zip(same).for_each(|(now, same)| *now |= same);
                    }
                    if now == earlier {
                        break;
                    }
                    earlier = now;
                }
                is_stable &= earlier == aims[aim as usize];
                aims[aim as usize] = earlier;
            }
            // Sets only become smaller.
            if is_stable || !aims[0][0] {
                return Some(aims[0][0]);
            }
        }
    }
}
