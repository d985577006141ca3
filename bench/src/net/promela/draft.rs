//! A model in the making.

use std::collections::BTreeSet;

use super::cell::{Cell, Feature};
use super::kind::{Access, Hold, Kind, Position, Where};
use super::skeleton::{Item, Skeleton};
use super::world::World;
use super::{choice, possible};
use crate::net::tree::Tree;
use crate::random::Rng;

/// Which labels the processes have, beside plain ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    Plain,
    Progress,
    Accept,
}

/// What a process has of its own.
#[derive(Clone, Debug, Default)]
pub struct Process {
    pub name: String,
    /// Of the first instance.
    pub pid: u64,
    pub instances: u64,
    /// It is started by others, with arguments.
    pub is_child: bool,
    /// It has no name that others could use.
    pub is_init: bool,
    /// It has a loop that it never leaves.
    pub is_immortal: bool,
    /// The label of its loop, or the one at its end.
    pub target: String,
    pub jumps_to_target: bool,
    /// Names of local variables with their declarations.
    pub locals: BTreeSet<(&'static str, &'static str)>,
    /// Counters of loops.
    pub counters: u32,
    /// How often, in percent, it says where it is in a global variable that only it writes.
    pub stamp_chance: u64,
    /// How many values it writes to it.
    pub stamps: u32,
}

/// Where a piece of the model will stand.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub process: usize,
    pub hold: Hold,
    /// It may be executed again and again.
    pub repeats: bool,
    /// There is a loop that `break` leaves.
    pub breakable: bool,
    pub depth: u32,
}

/// A moment that a question may be about: what is true just behind a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    pub process: usize,
    pub proposition: String,
}

/// A use of a rendezvous channel.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub channel: &'static str,
    pub process: usize,
    pub kind: Kind,
    pub at: Where,
    pub hold: Hold,
}

#[derive(Debug)]
pub struct Draft {
    pub rng: Rng,
    pub world: World,
    pub flavour: Flavour,
    pub processes: Vec<Process>,
    /// Pairs that were made.
    pub cells: Vec<Cell>,
    /// In the order of the text.
    pub moments: Vec<Moment>,
    /// Those of which only one statement makes them true.
    pub stamps: Vec<String>,
    /// Those that a shortcut is tempted to skip.
    pub tempting: Vec<String>,
    /// What is true of local variables for a moment only.
    pub shown: Vec<String>,
    /// What [`Item::Await`] waits for.
    pub signal: Option<String>,
    pub meetings: Vec<Meeting>,
    /// Channels with room, by name: who sends and who receives.
    pub traffic: BTreeSet<(&'static str, bool)>,
    pub inlines: Vec<Tree>,
    /// How many more statements there may be.
    pub budget: u32,
    /// How many more processes may be started.
    pub runs: u32,
    pub has_progress: bool,
    pub has_accept: bool,
    pub uses_priority: bool,
    /// Most processes have a `provided` clause.
    pub uses_provided: bool,
    /// There is an event trace, if there is a channel for it.
    pub is_watched: bool,
    /// The first process receives late, the second sends early.
    pub meets_late: bool,
    /// Instead, the first asks whether the second has answered it.
    pub decides_late: bool,
    /// Some of its statements fail in some states.
    pub fails: bool,
    /// Some statement starts more processes than there can be.
    pub crowds: bool,
    /// Somebody should change global variables again and again.
    pub stirs: bool,
    /// Questions may name a process by the number of one of another type.
    pub misnames: bool,
    /// Features that this model should have.
    pub wished: BTreeSet<Feature>,
    names: u32,
}

impl Draft {
    pub fn new(mut rng: Rng, flavour: Flavour) -> Draft {
        let values = if rng.chance(80) { 2 } else { 3 };
        let room = if rng.chance(85) { 1 } else { 2 };
        Draft {
            world: World::new(values, room),
            runs: 1 + rng.below(2) as u32,
            rng,
            flavour,
            processes: Vec::new(),
            cells: Vec::new(),
            moments: Vec::new(),
            stamps: Vec::new(),
            tempting: Vec::new(),
            shown: Vec::new(),
            signal: None,
            meetings: Vec::new(),
            traffic: BTreeSet::new(),
            inlines: Vec::new(),
            budget: 0,
            has_progress: false,
            has_accept: false,
            uses_priority: false,
            uses_provided: false,
            is_watched: false,
            meets_late: false,
            decides_late: false,
            fails: false,
            crowds: false,
            stirs: false,
            misnames: false,
            wished: BTreeSet::new(),
            names: 0,
        }
    }

    pub fn value(&mut self) -> u64 {
        self.rng.below(self.world.values)
    }

    pub fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len() as u64) as usize]
    }

    /// Whether something is to fail here, so often where anything is.
    pub fn is_to_fail(&mut self, percent: u64) -> bool {
        self.fails && self.rng.chance(percent)
    }

    /// Whether a statement that is not the first of its block needs a guard before it.
    pub fn must_be_assured(&self, kind: Kind, hold: Hold) -> bool {
        let may_fail = self.fails && matches!(kind, Kind::Guard | Kind::GuardLocal);
        hold == Hold::DStep && kind.may_block() && !may_fail
    }

    pub fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    pub fn feature(&mut self, feature: Feature) {
        self.world.features.insert(feature);
    }

    /// Whether the model should have this and has not.
    pub fn lacks(&self, feature: Feature) -> bool {
        self.wished.contains(&feature) && !self.world.features.contains(&feature)
    }

    /// What is true behind a statement of this process.
    pub fn moment(&mut self, process: usize, proposition: String) {
        if !self.processes[process].is_child {
            self.moments.push(Moment { process, proposition });
        }
    }

    /// Pieces that stand one behind the other in a block.
    pub fn sequence(&mut self, at: Where, site: Site, mut items: Vec<Item>) -> Vec<Tree> {
        let mut kinds = self.kinds(at, site, &items);
        if at != Where::Body && kinds == [Kind::Skip] {
            // It may be in a loop, and one that does nothing for ever is refused.
            kinds.push(Kind::Assign);
            items.push(Item::Kind(Kind::Assign, None));
        }
        let accesses: Vec<Option<Access>> = items.iter().map(Item::access).collect();
        let mut pieces = Vec::new();
        // The label that the piece before jumps to.
        let mut label: Option<String> = None;
        let mut assured: Option<String> = None;
        let mut was_planned = false;
        for (index, item) in items.into_iter().enumerate() {
            let kind = kinds[index];
            let position = if index == 0 { Position::First } else { Position::Later };
            self.cells.push(Cell::Place { kind, at, hold: site.hold, position });
            // Spin refuses it; nevertheless it is a pair that may be wanted.
            let is_planned = !matches!(item, Item::Any | Item::Nest(_));
            let refused = kind == Kind::DStep && pieces.last().is_some_and(ends_in_loop);
            if index > 0 {
                let mut before = kinds[index - 1];
                let is_between =
                    !(is_planned && was_planned) && assured.is_none() && label.is_none();
                if let Some(stamp) = is_between.then(|| self.stamp(site, Some(kind))).flatten() {
                    self.cells.push(Cell::Next {
                        kind: before,
                        next: Kind::Assign,
                        at,
                        hold: site.hold,
                    });
                    before = Kind::Assign;
                    pieces.push(stamp);
                } else if refused && is_between {
                    pieces.push(Tree::leaf("skip", "skip;"));
                    before = Kind::Skip;
                }
                self.cells.push(Cell::Next { kind: before, next: kind, at, hold: site.hold });
            }
            was_planned = is_planned;
            match label.take() {
                Some(label) => pieces.push(Tree::leaf("label", format!("{label}:"))),
                None if index > 0 => pieces.extend(self.label(kind, site)),
                None => {}
            }
            let access = accesses[index];
            let next = kinds.get(index + 1).copied();
            if let Some(text) = assured.take() {
                pieces.push(Tree::leaf(kind.name(), format!("{text};")));
            } else if kind == Kind::Goto && next.is_some() {
                let name = format!("j{}", self.fresh());
                pieces.push(Tree::leaf("goto", format!("goto {name};")));
                label = Some(name);
            } else if matches!(item, Item::Stamp | Item::Mark | Item::Signal) {
                // What an early sender says before it sends is seen only if nobody waits yet.
                let is_early = self.meets_late && site.process == 1;
                let times = match site.hold {
                    _ if is_early || item == Item::Mark => 4,
                    Hold::Free | Hold::Atomic => 1,
                    Hold::DStep => 0,
                };
                let stamp = self.next_stamp(site, 1);
                let proposition = self.stamps[self.stamps.len() - 1].clone();
                self.tempting.extend(vec![proposition; times]);
                if item == Item::Signal {
                    self.signal = self.stamps.last().cloned();
                }
                pieces.push(stamp);
            } else if let Some(text) = self.of_temptation(&item, site.process) {
                pieces.push(Tree::leaf(kind.name(), format!("{text};")));
            } else if let Item::Nest(skeleton) = item {
                pieces.push(self.block(kind, site, Some(skeleton)));
            } else if kind.is_block() {
                pieces.push(self.block(kind, site, None));
            } else if let Some(next) = next.filter(|&next| self.must_be_assured(next, site.hold)) {
                // Not yet in the sequence: the statement of which this one is the guard.
                let access = accesses.get(index + 1).copied().flatten();
                let access = access.or_else(|| self.access(next));
                let (guard, text) = self.assured(next, at, site, access);
                pieces.push(Tree::leaf(kind.name(), format!("{guard};")));
                assured = Some(text);
            } else {
                let text = self.statement(kind, at, site, access);
                let mut piece = Tree::leaf(kind.name(), format!("{text};"));
                if kind != Kind::Skip {
                    piece.simpler.push("skip;".to_owned());
                }
                pieces.push(piece);
            }
        }
        if !matches!(kinds.last(), Some(Kind::Break | Kind::Goto)) {
            pieces.extend(self.stamp(site, None));
        }
        let is_inner = site.hold == Hold::DStep && at != Where::DStep;
        if is_inner && kinds.last().is_some_and(|&kind| kind.is_block() || kind == Kind::Select) {
            // Spin takes the way out of it for one out of the d_step.
            pieces.push(Tree::leaf("assign", format!("a = {};", self.value())));
        }
        pieces
    }

    /// The kinds of a sequence: what is not given is drawn.
    fn kinds(&mut self, at: Where, site: Site, items: &[Item]) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let next = items.get(index + 1).and_then(Item::kind);
            let kind = item.kind().unwrap_or_else(|| {
                if let Some(next) = next.filter(|&next| self.must_be_assured(next, site.hold)) {
                    return next.assured_by();
                }
                let is_last = index + 1 == items.len();
                choice::kind(self, at, site, kinds.last().copied(), next, is_last)
            });
            kinds.push(kind);
        }
        kinds
    }

    /// Sometimes, a value of a global variable that no other statement gives it: who can ever see
    /// it knows that no state was skipped there.
    fn stamp(&mut self, site: Site, before: Option<Kind>) -> Option<Tree> {
        let process = &mut self.processes[site.process];
        let chance = match site.hold {
            Hold::Free => process.stamp_chance,
            Hold::Atomic => process.stamp_chance * 3 / 4,
            Hold::DStep => process.stamp_chance / 4,
        };
        if process.stamps >= 10 || !self.rng.chance(chance) {
            return None;
        }
        // What comes before a local step, or before several that are one, is skipped most easily.
        let times = match before {
            Some(kind) if site.hold == Hold::Free && kind.is_block() => 4,
            Some(Kind::AssignLocal | Kind::Skip | Kind::Goto | Kind::Printf) => 3,
            _ => 1,
        };
        Some(self.next_stamp(site, times))
    }

    /// The next value, so many times among those to ask for.
    fn next_stamp(&mut self, site: Site, times: usize) -> Tree {
        let process = &mut self.processes[site.process];
        process.stamps += 1;
        let (number, value) = (site.process, process.stamps);
        let proposition = format!("g{number} == {value}");
        self.moment(number, proposition.clone());
        self.stamps.extend(vec![proposition; times]);
        Tree::leaf("assign", format!("g{number} = {value};"))
    }

    /// A label for a statement that others may name, or none.
    fn label(&mut self, kind: Kind, site: Site) -> Option<Tree> {
        if matches!(kind, Kind::Declare | Kind::Else) || site.hold == Hold::DStep {
            return None;
        }
        let chance = match self.flavour {
            _ if site.hold == Hold::Atomic => 6,
            Flavour::Progress => 45,
            _ => 22,
        };
        if !self.rng.chance(chance) {
            return None;
        }
        let number = self.fresh();
        let name = match self.flavour {
            Flavour::Progress if self.rng.chance(75) => {
                self.has_progress = true;
                format!("progress{number}")
            }
            Flavour::Accept if self.rng.chance(60) => {
                self.has_accept = true;
                format!("accept{number}")
            }
            _ if self.rng.chance(20) => format!("end{number}"),
            _ => format!("l{number}"),
        };
        if site.hold == Hold::Free && !self.processes[site.process].is_init {
            let process = &self.processes[site.process];
            let proposition = format!("{}@{name}", process.reference());
            self.moment(site.process, proposition);
        }
        Some(Tree::leaf("label", format!("{name}:")))
    }

    /// How a statement of this kind may know its channel.
    pub fn access(&mut self, kind: Kind) -> Option<Access> {
        if !kind.is_communication() && kind != Kind::GuardQueue {
            return None;
        }
        let possible: Vec<_> = Access::ALL
            .iter()
            .copied()
            .filter(|&access| possible::channel(kind, access, Hold::Free).is_none())
            .collect();
        Some(if possible.is_empty() { Access::Global } else { self.choose(&possible) })
    }
}

/// Whether control leaves a piece by the `break` of a loop.
fn ends_in_loop(piece: &Tree) -> bool {
    match piece.kind {
        "do" | "for" | "select" | "inline" => true,
        "if" | "unless" => piece.inner.iter().any(ends_in_loop),
        "braces" | "option" | "main" | "escape" => piece.inner.last().is_some_and(ends_in_loop),
        _ => false,
    }
}

impl Process {
    /// Its name in a remote reference.
    pub fn reference(&self) -> String {
        if self.instances > 1 { format!("{}[{}]", self.name, self.pid) } else { self.name.clone() }
    }
}

impl Site {
    pub fn deeper(self) -> Site {
        Site { depth: self.depth + 1, ..self }
    }
}

impl Draft {
    /// So many pieces of any kind, within the budget.
    pub fn some(&mut self, most: u64) -> Vec<Item> {
        let many = 1 + self.rng.below(most);
        let many = many.min(u64::from(self.budget.max(1)));
        self.budget = self.budget.saturating_sub(many as u32);
        (0..many).map(|_| Item::Any).collect()
    }

    /// The items of a skeleton, with others around them sometimes.
    pub fn items_of(&mut self, skeleton: Skeleton) -> Vec<Item> {
        let mut items = skeleton.items;
        let ends = matches!(items.last().and_then(Item::kind), Some(Kind::Break | Kind::Goto));
        if !ends && self.budget > 0 && self.rng.chance(35) {
            self.budget -= 1;
            items.push(Item::Any);
        }
        items
    }
}
