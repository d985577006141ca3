//! What a piece of a model must look like, so that a wanted pair is in it.

use super::cell::Cell;
use super::kind::{Access, Hold, Kind, Position, Where};
use super::possible;
use crate::random::Rng;

/// A block with some of its contents given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skeleton {
    pub at: Where,
    pub items: Vec<Item>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Any,
    /// A statement or block, and how it knows its channel, if that matters.
    Kind(Kind, Option<Access>),
    Nest(Skeleton),
    /// A value of a global variable that says where the process is.
    Stamp,
    /// One that is asked for more often.
    Mark,
    /// Such a value for which another process waits.
    Signal,
    /// Waits for it.
    Await,
    /// This text. `v`, `x` and `y` are local variables; questions look at `x` only.
    Text(Kind, &'static str),
    /// A local value that no other statement has, which others may see.
    Show,
}

impl Item {
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Item::Any => None,
            Item::Kind(kind, _) => Some(*kind),
            Item::Nest(skeleton) => Some(skeleton.kind()),
            Item::Stamp | Item::Mark | Item::Signal => Some(Kind::Assign),
            Item::Await => Some(Kind::Guard),
            Item::Text(kind, _) => Some(*kind),
            Item::Show => Some(Kind::AssignLocal),
        }
    }
}

impl Item {
    pub fn access(&self) -> Option<Access> {
        match self {
            Item::Kind(_, access) => *access,
            _ => None,
        }
    }
}

impl Skeleton {
    /// What the block is in the sequence that it stands in.
    pub fn kind(&self) -> Kind {
        match self.at {
            Where::Body | Where::Braces => Kind::Braces,
            Where::If => Kind::If,
            Where::Do => Kind::Do,
            Where::Atomic => Kind::Atomic,
            Where::DStep => Kind::DStep,
            Where::Main | Where::Escape => Kind::Unless,
            Where::Inline => Kind::Inline,
            Where::For => Kind::For,
        }
    }

    fn nest(at: Where, inner: Skeleton, before: bool) -> Skeleton {
        let mut items = vec![Item::Nest(inner)];
        if before {
            items.insert(0, Item::Any);
        }
        Skeleton { at, items }
    }

    pub fn has(&self, wanted: impl Fn(Kind) -> bool + Copy) -> bool {
        self.items.iter().any(|item| match item {
            Item::Nest(inner) => inner.has(wanted),
            item => item.kind().is_some_and(wanted),
        })
    }

    /// This kind in such a block.
    pub fn of_place(
        rng: &mut Rng,
        kind: Kind,
        access: Option<Access>,
        (at, hold): (Where, Hold),
        position: Position,
    ) -> Skeleton {
        let mut items = vec![Item::Kind(kind, access)];
        if position == Position::Later {
            items.insert(0, Item::Any);
        }
        Skeleton::around(rng, at, hold, items)
    }

    /// These items in such a block.
    fn around(rng: &mut Rng, at: Where, hold: Hold, mut items: Vec<Item>) -> Skeleton {
        let breaks = items.iter().any(|item| item.kind() == Some(Kind::Break));
        // In a d_step a jump leads to the piece behind it.
        if hold == Hold::DStep && items.last().and_then(Item::kind) == Some(Kind::Goto) {
            items.push(Item::Kind(Kind::Assign, None));
        }
        let mut skeleton = Skeleton { at, items };
        let is_inside = match hold {
            Hold::Free => true,
            Hold::Atomic => at == Where::Atomic,
            Hold::DStep => at == Where::DStep,
        };
        let needs_loop = breaks && !matches!(at, Where::Do | Where::For);
        // A break does not leave a d_step, but may leave an atomic.
        let loop_inside = needs_loop && !is_inside && (hold == Hold::DStep || rng.chance(50));
        if loop_inside {
            skeleton = Skeleton::nest(Where::Do, skeleton, true);
        }
        if !is_inside {
            let around = if hold == Hold::DStep { Where::DStep } else { Where::Atomic };
            // Where it might wait, it is the first.
            let before = hold == Hold::DStep || rng.chance(70);
            skeleton = Skeleton::nest(around, skeleton, before);
        }
        if needs_loop && !loop_inside {
            skeleton = Skeleton::nest(Where::Do, skeleton, true);
        }
        skeleton
    }

    /// One kind behind another.
    fn of_next(rng: &mut Rng, kind: Kind, next: Kind, (at, hold): (Where, Hold)) -> Skeleton {
        let mut positions = Position::ALL.to_vec();
        positions.retain(|&position| possible::place(kind, at, hold, position).is_none());
        if hold == Hold::DStep && next.may_block() {
            // A guard is not behind another one.
            positions.truncate(1);
        }
        let position = positions[rng.below(positions.len() as u64) as usize];
        let mut items = vec![Item::Kind(kind, None), Item::Kind(next, None)];
        if position == Position::Later {
            items.insert(0, Item::Any);
        }
        Skeleton::around(rng, at, hold, items)
    }

    /// What to build for a pair, each for a process of its own; nothing for pairs of features.
    pub fn of_cell(rng: &mut Rng, cell: Cell) -> Vec<Skeleton> {
        match cell {
            Cell::Place { kind, at, hold, position } => {
                vec![Skeleton::of_place(rng, kind, None, (at, hold), position)]
            }
            Cell::Next { kind, next, at, hold } => {
                vec![Skeleton::of_next(rng, kind, next, (at, hold))]
            }
            Cell::Meeting { sender, receiver, matches } => {
                let kind = if matches { Kind::MeetMatch } else { Kind::MeetReceive };
                let access = Some(Access::Global);
                [(Kind::Meet, sender), (kind, receiver)]
                    .map(|(kind, site)| {
                        let mut positions: Vec<_> = Position::ALL.to_vec();
                        positions.retain(|&position| {
                            possible::place(kind, site.0, site.1, position).is_none()
                        });
                        let at = rng.below(positions.len().max(1) as u64) as usize;
                        let position = positions.get(at).copied().unwrap_or(Position::First);
                        Skeleton::of_place(rng, kind, access, site, position)
                    })
                    .into()
            }
            Cell::Channel { kind, access, hold, .. } => {
                let mut sites = Vec::new();
                for &at in Where::ALL {
                    for &position in Position::ALL {
                        if at != Where::Body && possible::place(kind, at, hold, position).is_none()
                        {
                            sites.push((at, position));
                        }
                    }
                }
                if sites.is_empty() {
                    return Vec::new();
                }
                let (at, position) = sites[rng.below(sites.len() as u64) as usize];
                vec![Skeleton::of_place(rng, kind, Some(access), (at, hold), position)]
            }
            Cell::Features(..) => Vec::new(),
        }
    }
}
