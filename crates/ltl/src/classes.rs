//! What the shape of a formula tells about its language.
//!
//! Safety, guarantee, obligation, persistence and recurrence: the syntactic classes of the
//! hierarchy of temporal properties (Chang, Manna, Pnueli 1992; the grammar as in Černá and
//! Pelánek, "Relating hierarchy of temporal properties to model checking", MFCS 2003).
//! Eventual and universal: Etessami and Holzmann, "Optimizing Büchi automata", CONCUR 2000.

use crate::formula::{Binary, Ltl, Node, children};

/// A set of facts about a formula; a fact that is absent may still be true of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classes(u16);

const BOOLEAN: u16 = 1;
/// Satisfied by a suffix implies satisfied by the whole word.
const EVENTUAL: u16 = 2;
/// Satisfied by a word implies satisfied by all its suffixes.
const UNIVERSAL: u16 = 4;
const SAFETY: u16 = 8;
const GUARANTEE: u16 = 16;
const OBLIGATION: u16 = 32;
const PERSISTENCE: u16 = 64;
const RECURRENCE: u16 = 128;
const NEXT_FREE: u16 = 256;
const HIERARCHY: u16 = SAFETY | GUARANTEE | OBLIGATION | PERSISTENCE | RECURRENCE;

impl Classes {
    fn has(self, fact: u16) -> bool {
        self.0 & fact == fact
    }
    /// No temporal operator: the first letter decides.
    pub fn boolean(self) -> bool {
        self.has(BOOLEAN)
    }
    /// A word satisfies it if one of its suffixes does, as `F a`.
    pub fn eventual(self) -> bool {
        self.has(EVENTUAL)
    }
    /// All suffixes of a word that satisfies it do, as those of `G a`.
    pub fn universal(self) -> bool {
        self.has(UNIVERSAL)
    }
    /// Eventual and universal: the truth is the same at every position of a word.
    pub fn suspendable(self) -> bool {
        self.has(EVENTUAL | UNIVERSAL)
    }
    /// Every word that violates it has a beginning that shows it.
    pub fn safety(self) -> bool {
        self.has(SAFETY)
    }
    /// Every word that satisfies it has a beginning that shows it.
    pub fn guarantee(self) -> bool {
        self.has(GUARANTEE)
    }
    /// A combination of safety and guarantee.
    pub fn obligation(self) -> bool {
        self.has(OBLIGATION)
    }
    /// Something holds from some moment on, as in `F G a`.
    pub fn persistence(self) -> bool {
        self.has(PERSISTENCE)
    }
    /// Something happens again and again, as in `G F a`.
    pub fn recurrence(self) -> bool {
        self.has(RECURRENCE)
    }
    /// No X: stuttering cannot change the truth.
    pub fn next_free(self) -> bool {
        self.has(NEXT_FREE)
    }

    /// The classes of the negation, as far as the hierarchy goes.
    fn dual(self) -> u16 {
        let mut out = self.0 & (OBLIGATION | BOOLEAN | NEXT_FREE);
        for (a, b) in [(SAFETY, GUARANTEE), (PERSISTENCE, RECURRENCE), (EVENTUAL, UNIVERSAL)] {
            out |= if self.has(a) { b } else { 0 } | if self.has(b) { a } else { 0 };
        }
        out
    }

    pub(crate) fn of(node: &Node, class: impl Fn(Ltl) -> Classes) -> Classes {
        let all = children(node).iter().fold(u16::MAX, |acc, &child| acc & class(child).0);
        let keep = |fact: u16, condition: bool| if condition { fact } else { 0 };
        Classes(match *node {
            Node::False | Node::True => BOOLEAN | EVENTUAL | UNIVERSAL | HIERARCHY | NEXT_FREE,
            Node::Ap(_) => BOOLEAN | HIERARCHY | NEXT_FREE,
            Node::Not(a) => class(a).dual(),
            Node::Next(_) => all & (EVENTUAL | UNIVERSAL | HIERARCHY),
            Node::Finally(a) => {
                let a = class(a);
                EVENTUAL
                    | (all & (UNIVERSAL | NEXT_FREE | PERSISTENCE))
                    | keep(GUARANTEE | OBLIGATION | RECURRENCE | PERSISTENCE, a.guarantee())
            }
            Node::Globally(a) => {
                let a = class(a);
                UNIVERSAL
                    | (all & (EVENTUAL | NEXT_FREE | RECURRENCE))
                    | keep(SAFETY | OBLIGATION | RECURRENCE | PERSISTENCE, a.safety())
            }
            Node::And(_) | Node::Or(_) => {
                all & (BOOLEAN | EVENTUAL | UNIVERSAL | HIERARCHY | NEXT_FREE)
            }
            Node::Binary(op, a, b) => of_binary(op, class(a), class(b), all),
        })
    }
}

fn of_binary(op: Binary, a: Classes, b: Classes, all: u16) -> u16 {
    let keep = |fact: u16, condition: bool| if condition { fact } else { 0 };
    let base = all & NEXT_FREE;
    match op {
        Binary::Implies => {
            (Classes(a.dual()).0 & b.0) & (BOOLEAN | EVENTUAL | UNIVERSAL | HIERARCHY) | base
        }
        Binary::Equiv | Binary::Xor => {
            let both_ways = |x: u16, y: u16| keep(x | y, all & (x | y) == x | y);
            (all & (BOOLEAN | OBLIGATION | NEXT_FREE))
                | both_ways(SAFETY, GUARANTEE)
                | both_ways(PERSISTENCE, RECURRENCE)
                | both_ways(EVENTUAL, UNIVERSAL)
        }
        Binary::Until => {
            base | keep(EVENTUAL, b.eventual())
                | keep(UNIVERSAL, b.universal())
                | (all & (GUARANTEE | PERSISTENCE))
                | keep(OBLIGATION, a.obligation() && b.guarantee())
                | keep(RECURRENCE, a.recurrence() && b.guarantee())
        }
        Binary::WeakUntil => {
            base | keep(UNIVERSAL, b.universal())
                | (all & (EVENTUAL | SAFETY | RECURRENCE))
                | keep(OBLIGATION, a.safety() && b.obligation())
                | keep(PERSISTENCE, a.safety() && b.persistence())
        }
        Binary::Release => {
            base | keep(UNIVERSAL, b.universal())
                | (all & (EVENTUAL | SAFETY | RECURRENCE))
                | keep(OBLIGATION, a.obligation() && b.safety())
                | keep(PERSISTENCE, a.persistence() && b.safety())
        }
        Binary::StrongRelease => {
            base | (all & (EVENTUAL | UNIVERSAL | GUARANTEE | PERSISTENCE))
                | keep(OBLIGATION, a.guarantee() && b.obligation())
                | keep(RECURRENCE, a.guarantee() && b.recurrence())
        }
    }
}
