//! Pieces that tempt a shortcut: a state that is marked by a global value, then local steps into a
//! block that marks the next state. Who goes on too far never sees the first.

use super::draft::Draft;
use super::kind::{Kind, Where};
use super::skeleton::{Item, Skeleton};

impl Draft {
    /// Such a piece, as items of a sequence in which other processes may move.
    pub fn tempting(&mut self) -> Vec<Item> {
        let mut items = vec![Item::Stamp];
        if self.rng.chance(40) {
            let many = self.rng.below(2) + 1;
            items.extend(self.local_steps(many));
        }
        let at = self.choose(&[
            Where::Atomic,
            Where::Atomic,
            Where::Atomic,
            Where::DStep,
            Where::Braces,
            Where::Inline,
            Where::Main,
            Where::If,
            Where::For,
            Where::Do,
        ]);
        let many = 1 + self.rng.below(2);
        let mut inner = self.local_steps(many);
        match self.rng.below(8) {
            _ if at == Where::DStep => {}
            0 => inner.push(Item::Kind(Kind::Meet, None)),
            1 => inner.push(Item::Kind(Kind::MeetReceive, None)),
            2 => inner.push(Item::Kind(Kind::Assign, None)),
            3 => {
                let at = self.choose(&[Where::Atomic, Where::DStep, Where::If]);
                let mut items = self.local_steps(1);
                items.push(Item::Stamp);
                inner.push(Item::Nest(Skeleton { at, items }));
            }
            _ => {}
        }
        inner.push(Item::Stamp);
        items.push(Item::Nest(Skeleton { at, items: inner }));
        if self.rng.chance(50) {
            items.push(Item::Stamp);
        }
        items
    }

    /// Steps that nobody else notices.
    fn local_steps(&mut self, many: u64) -> Vec<Item> {
        let kinds = [
            Kind::AssignLocal,
            Kind::AssignLocal,
            Kind::AssignLocal,
            Kind::Skip,
            Kind::Declare,
            Kind::Printf,
            Kind::Goto,
        ];
        let mut items = Vec::new();
        for _ in 0..many {
            let mut kind = self.choose(&kinds);
            // What is jumped to has a label, and a declaration has none.
            let jumps = items.last() == Some(&Item::Kind(Kind::Goto, None));
            if jumps && kind == Kind::Declare || items.is_empty() && kind == Kind::Goto {
                kind = Kind::AssignLocal;
            }
            items.push(Item::Kind(kind, None));
        }
        if items.last() == Some(&Item::Kind(Kind::Goto, None)) {
            items.push(Item::Kind(Kind::AssignLocal, None));
        }
        items
    }
}
