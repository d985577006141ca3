//! Pieces that tempt a shortcut: a state that is marked by a global value, then local steps into a
//! block that marks the next state. Who goes on too far never sees the first.

use super::draft::Draft;
use super::kind::{Access, Kind, Where};
use super::skeleton::{Item, Skeleton};

/// A value that a local variable has between two steps only.
const SHOWN: u64 = 7;

const TAKE_BACK: Item = Item::Text(Kind::Assign, "g1 = 0");
const IS_ANSWERED: Item = Item::Text(Kind::Guard, "g1 > 0");

/// What shows whether a condition was true.
fn decision(condition: Item) -> Item {
    Item::Nest(Skeleton { at: Where::If, items: vec![condition, Item::Mark] })
}

impl Draft {
    /// Such a piece, as items of a sequence in which other processes may move.
    pub fn tempting(&mut self, process: usize) -> Vec<Item> {
        let is_there = self.processes[process].is_immortal;
        if is_there && self.misnames && self.rng.chance(70) {
            return shown_late();
        }
        match self.rng.below(16) {
            0 => return vec![Item::Nest(waiting_twice())],
            1 => return self.half_written(),
            2 | 3 => return self.reading_twice(),
            4 | 5 => return read_inside(),
            6 | 7 if is_there => return shown(),
            8 => return growing(),
            _ => {}
        }
        let mut items = vec![Item::Stamp];
        if self.rng.chance(15) {
            // What follows has no condition of its own.
            let kind = self.choose(&[Kind::Send, Kind::Receive, Kind::MeetReceive]);
            items.push(Item::Kind(kind, None));
        }
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

    /// A local variable that a `d_step` writes on one of its ways, and that decides afterwards.
    fn half_written(&mut self) -> Vec<Item> {
        let item = |kind| Item::Kind(kind, None);
        let nest = |at, items| Item::Nest(Skeleton { at, items });
        let guard = self.choose(&[Kind::Guard, Kind::GuardLocal]);
        let mut inner = vec![nest(Where::If, vec![item(guard), item(Kind::AssignLocal)])];
        if self.rng.chance(30) {
            inner.insert(0, item(self.choose(&[Kind::Assign, Kind::Printf, Kind::AssignElement])));
        }
        let decides = nest(Where::If, vec![item(Kind::GuardLocal), Item::Stamp]);
        vec![item(Kind::AssignLocal), Item::Stamp, nest(Where::DStep, inner), decides]
    }

    /// A global variable is read in two steps, between which others may change it. Who takes both for
    /// one never sees that.
    fn reading_twice(&mut self) -> Vec<Item> {
        self.stirs = true;
        let [copy, compare] =
            ["y = a", "y = (y != a)"].map(|text| Item::Text(Kind::AssignLocal, text));
        vec![Item::Stamp, copy, compare, decision(Item::Text(Kind::GuardLocal, "y == 1"))]
    }

    /// The text of a statement that only such pieces have.
    pub fn of_temptation(&mut self, item: &Item, process: usize) -> Option<String> {
        let text = match item {
            Item::Await => self.signal.clone()?,
            Item::Show => {
                self.show(process);
                format!("x = {SHOWN}")
            }
            Item::Text(_, text) => (*text).to_owned(),
            _ => return None,
        };
        for local in [("v", "byte v;"), ("x", "byte x;"), ("y", "byte y;")] {
            if text.contains(local.0) {
                self.processes[process].locals.insert(local);
            }
        }
        Some(text)
    }

    /// Others may see the variable for a moment.
    fn show(&mut self, process: usize) {
        let proposition = format!("{}:x == {SHOWN}", self.named(process));
        self.stamps.push(proposition.clone());
        self.shown.push(proposition);
    }

    /// A process that says where it is, and only after local steps waits for a rendezvous. Who goes
    /// on too far has it wait at once.
    pub fn late_receiver(&mut self) -> Vec<Item> {
        let mut items = vec![Item::Signal];
        self.decides_late = self.rng.chance(35);
        if self.decides_late {
            // Who goes on too far decides before the answer is there.
            items.extend(self.local_steps(1));
            items.push(decision(IS_ANSWERED));
            return items;
        }
        let many = 1 + self.rng.below(2);
        items.extend(self.local_steps(many));
        let receive = Item::Kind(Kind::MeetReceive, Some(Access::Global));
        match self.rng.below(3) {
            0 => items.extend([receive, TAKE_BACK]),
            _ => {
                let inner = vec![receive, TAKE_BACK];
                items.push(Item::Nest(Skeleton { at: Where::Atomic, items: inner }));
            }
        }
        items
    }

    /// One that sends just then, and notices whether somebody waits.
    pub fn early_sender(&mut self) -> Vec<Item> {
        if self.decides_late {
            return vec![Item::Await, Item::Stamp];
        }
        let send = Item::Kind(Kind::Meet, Some(Access::Global));
        let nest = |at, items| Item::Nest(Skeleton { at, items });
        match self.rng.below(4) {
            0 => vec![Item::Await, nest(Where::If, vec![send, Item::Stamp]), Item::Stamp],
            1 => vec![Item::Await, nest(Where::Escape, vec![send])],
            _ => vec![nest(Where::Atomic, vec![Item::Await, Item::Stamp, send])],
        }
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
            if self.rng.chance(12) && kind != Kind::Goto {
                // A decision that is nobody else's affair, or is it?
                let guard = self.choose(&[Kind::GuardLocal, Kind::GuardLocal, Kind::Guard]);
                let then = self.choose(&[Kind::AssignLocal, Kind::Printf, Kind::Assign]);
                let items_of = [guard, then].map(|kind| Item::Kind(kind, None));
                let at = self.choose(&[Where::If, Where::If, Where::Do]);
                items.push(Item::Nest(Skeleton { at, items: items_of.to_vec() }));
            }
        }
        if items.last() == Some(&Item::Kind(Kind::Goto, None)) {
            items.push(Item::Kind(Kind::AssignLocal, None));
        }
        items
    }
}

/// A local value that others may see for a moment.
fn shown() -> Vec<Item> {
    vec![Item::Stamp, Item::Show, Item::Text(Kind::AssignLocal, "x = 0"), Item::Stamp]
}

/// The same when there are some states already, so that something is remembered of them.
fn shown_late() -> Vec<Item> {
    let text = "do :: v < 7 -> v++ :: else -> break od";
    [vec![Item::Stamp, Item::Text(Kind::AssignLocal, text)], shown()].concat()
}

/// Values that come up late, when much is known of the states with smaller ones. Who packs states has to
/// pack them in another way then.
fn growing() -> Vec<Item> {
    let [first, second] = ["do :: break :: v < 5 -> v++ od", "do :: break :: y < 2 -> y++ od"]
        .map(|text| Item::Text(Kind::AssignLocal, text));
    let last = Item::Text(Kind::GuardLocal, "v == 5 && y == 1");
    vec![Item::Stamp, first, second, decision(last)]
}

/// A local variable that only a guard inside a `d_step` reads.
fn read_inside() -> Vec<Item> {
    let nest = |at, items| Item::Nest(Skeleton { at, items });
    let [read, is_one] = ["v == 1", "y == 1"].map(|text| Item::Text(Kind::GuardLocal, text));
    let [write, clear, set] =
        ["v = 1", "y = 0", "y = 1"].map(|text| Item::Text(Kind::AssignLocal, text));
    let inside = vec![clear, nest(Where::If, vec![read, set])];
    vec![Item::Stamp, write, nest(Where::DStep, inside), decision(is_one)]
}

/// An atomic sequence that begins when nobody can move, and waits for that once more. Inside it
/// nobody knows.
fn waiting_twice() -> Skeleton {
    let timeout = Item::Kind(Kind::Timeout, None);
    let again = Skeleton { at: Where::If, items: vec![timeout.clone(), Item::Stamp] };
    Skeleton { at: Where::Atomic, items: vec![timeout, Item::Stamp, Item::Nest(again)] }
}
