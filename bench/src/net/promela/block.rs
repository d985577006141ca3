//! Blocks: statements around statements.

use super::cell::{Cell, Feature};
use super::draft::{Draft, Site};
use super::kind::{Hold, Kind, Position, Where};
use super::skeleton::{Item, Skeleton};
use crate::net::tree::Tree;

impl Draft {
    /// A block of this kind, with the contents of the skeleton in it.
    pub fn block(&mut self, kind: Kind, site: Site, skeleton: Option<Skeleton>) -> Tree {
        let site = site.deeper();
        match kind {
            Kind::If => self.alternatives(site, skeleton),
            Kind::Do => self.nested_loop(site, skeleton),
            Kind::Atomic => {
                let hold = if site.hold == Hold::DStep { Hold::DStep } else { Hold::Atomic };
                let site = Site { hold, ..site };
                self.enclosed("atomic", "atomic {", Where::Atomic, site, skeleton)
            }
            Kind::DStep => {
                let site = Site { hold: Hold::DStep, breakable: false, ..site };
                self.enclosed("d_step", "d_step {", Where::DStep, site, skeleton)
            }
            Kind::Unless => self.unless(site, skeleton),
            Kind::Inline => self.inline(site, skeleton),
            Kind::For => self.counted(site, skeleton),
            _ => self.enclosed("braces", "{", Where::Braces, site, skeleton),
        }
    }

    fn items(&mut self, skeleton: Option<Skeleton>, most: u64) -> Vec<Item> {
        match skeleton {
            Some(skeleton) => self.items_of(skeleton),
            None => self.some(most),
        }
    }

    fn enclosed(
        &mut self,
        kind: &'static str,
        open: &str,
        at: Where,
        site: Site,
        skeleton: Option<Skeleton>,
    ) -> Tree {
        let items = self.items(skeleton, 3);
        Tree::block(kind, open, self.sequence(at, site, items), "};")
    }

    /// One option of a choice.
    pub fn option(&mut self, at: Where, site: Site, items: Vec<Item>) -> Tree {
        Tree::block("option", "::", self.sequence(at, site, items), "")
    }

    fn alternatives(&mut self, site: Site, skeleton: Option<Skeleton>) -> Tree {
        let planned = skeleton.is_some();
        let items = self.items(skeleton, 2);
        let has_else = items.first().and_then(Item::kind) == Some(Kind::Else);
        let meetings = self.meetings.len();
        let mut options = vec![self.option(Where::If, site, items)];
        if has_else {
            let guarded = vec![Item::Kind(self.beside_else(), None), Item::Any];
            options.insert(0, self.option(Where::If, site, guarded));
        } else if !planned || self.rng.chance(40) {
            let items = self.some(2);
            let items = beside(&options, items);
            options.push(self.option(Where::If, site, items));
        }
        if !has_else && has_no_else(&options) && (site.hold == Hold::DStep || self.rng.chance(45)) {
            let mut items = vec![Item::Kind(Kind::Else, None)];
            if self.rng.chance(60) {
                items.push(Item::Any);
            }
            options.push(self.option(Where::If, site, items));
            self.note_else(meetings);
        }
        Tree::block("if", "if", options, "fi;")
    }

    /// A condition that somebody else may change, or nobody else.
    fn beside_else(&mut self) -> Kind {
        self.choose(&[Kind::Guard, Kind::GuardLocal])
    }

    fn note_else(&mut self, meetings_before: usize) {
        if self.meetings.len() > meetings_before {
            self.feature(Feature::ElseAtMeeting);
        }
    }

    /// A loop inside a process, which it can leave.
    fn nested_loop(&mut self, site: Site, skeleton: Option<Skeleton>) -> Tree {
        let once = site.hold != Hold::Free
            || skeleton.as_ref().is_some_and(|skeleton| skeleton.has(Kind::makes_process));
        let planned = skeleton.is_some();
        let site = Site { breakable: true, repeats: site.repeats || !once, ..site };
        let mut items = self.items(skeleton, 2);
        let ends = matches!(items.last().and_then(Item::kind), Some(Kind::Break | Kind::Goto));
        let has_else = items.first().and_then(Item::kind) == Some(Kind::Else);
        if (once || has_else || self.rng.chance(25)) && !ends {
            items.push(Item::Kind(Kind::Break, None));
        }
        let meetings = self.meetings.len();
        let mut options = vec![self.option(Where::Do, site, items)];
        if has_else {
            let mut guarded = vec![Item::Kind(self.beside_else(), None), Item::Any];
            if once {
                guarded.push(Item::Kind(Kind::Break, None));
            }
            options.insert(0, self.option(Where::Do, site, guarded));
        } else if !once && !planned {
            let items = self.some(2);
            let items = beside(&options, items);
            options.push(self.option(Where::Do, site, items));
        }
        if !has_else {
            // The way out.
            let out = Item::Kind(Kind::Break, None);
            let is_else =
                has_no_else(&options) && (site.hold == Hold::DStep || self.rng.chance(50));
            let mut items = if is_else { vec![Item::Kind(Kind::Else, None)] } else { Vec::new() };
            if is_else && self.rng.chance(30) {
                items.push(Item::Any);
            }
            items.push(out);
            options.push(self.option(Where::Do, site, items));
            if is_else {
                self.note_else(meetings);
            }
        }
        Tree::block("do", "do", options, "od;")
    }

    fn unless(&mut self, site: Site, skeleton: Option<Skeleton>) -> Tree {
        self.feature(Feature::Unless);
        let (mut main, mut escape) = (None, None);
        match skeleton {
            Some(skeleton) if skeleton.at == Where::Escape => escape = Some(skeleton),
            skeleton => main = skeleton,
        }
        let main = self.items(main, 3);
        let escape = match escape {
            None if self.rng.chance(60) => {
                vec![Item::Kind(Kind::Guard, None), Item::Any]
            }
            escape => self.items(escape, 2),
        };
        let main = self.sequence(Where::Main, site, main);
        let escape = self.sequence(Where::Escape, site, escape);
        let parts = vec![
            Tree { droppable: false, ..Tree::block("main", "{", main, "") },
            Tree { droppable: false, ..Tree::block("escape", "} unless {", escape, "};") },
        ];
        Tree::block("unless", "", parts, "")
    }

    /// A definition, and a call of it here.
    fn inline(&mut self, site: Site, skeleton: Option<Skeleton>) -> Tree {
        self.feature(Feature::Inline);
        let items = self.items(skeleton, 3);
        let (first_name, jumps) = (self.fresh(), self.processes[site.process].jumps_to_target);
        let mut body = self.sequence(Where::Inline, site, items);
        let ends = body.last().is_some_and(|last| matches!(last.kind, "break" | "goto"));
        if !ends && self.rng.chance(50) {
            let kind = Kind::Assign;
            let (at, hold, position) = (Where::Inline, site.hold, Position::Later);
            self.cells.push(Cell::Place { kind, at, hold, position });
            body.push(Tree::leaf("assign", format!("p = {};", self.value())));
        }
        // Names inside, labels among them, would be there twice.
        let is_plain = self.fresh() == first_name + 1
            && jumps == self.processes[site.process].jumps_to_target
            && !ends;
        let call = format!("f{first_name}({});", self.rng.pick(&["a", "b"]));
        let definition = format!("inline f{first_name}(p) {{");
        self.inlines.push(Tree::block("inline-definition", definition, body, "}"));
        let mut calls = vec![Tree::leaf("call", call.clone())];
        if is_plain && !site.repeats && self.rng.chance(15) {
            calls.push(Tree::leaf("call", call));
        }
        Tree::block("inline", "", calls, "")
    }

    fn counted(&mut self, site: Site, skeleton: Option<Skeleton>) -> Tree {
        let process = &mut self.processes[site.process];
        let counter = site.depth;
        process.counters = process.counters.max(counter);
        let site = Site { breakable: true, ..site };
        let items = self.items(skeleton, 2);
        let range = match self.rng.below(6) {
            0 => {
                self.world.need(super::world::Global::Array);
                format!("i{counter} in t")
            }
            1 => format!("i{counter} : a .. {}", self.world.values - 1),
            2 => format!("i{counter} : 1 .. 1"),
            _ => format!("i{counter} : 0 .. 1"),
        };
        let body = self.sequence(Where::For, site, items);
        Tree::block("for", format!("for ({range}) {{"), body, "};")
    }
}

/// Whether no option has an `else`. A choice that opens an option is part of the choice around it,
/// and there may be only one `else` in all of it.
pub fn has_no_else(options: &[Tree]) -> bool {
    !options.iter().any(opens_with_else)
}

fn opens_with_else(piece: &Tree) -> bool {
    match piece.kind {
        "else" | "inline" => true,
        "if" | "do" | "unless" => piece.inner.iter().any(opens_with_else),
        "option" | "braces" | "atomic" | "main" | "escape" => {
            piece.inner.first().is_some_and(opens_with_else)
        }
        _ => false,
    }
}

/// The items of one more option: with a guard before them, if there would be two `else`.
pub fn beside(options: &[Tree], mut items: Vec<Item>) -> Vec<Item> {
    let may_open = |item: &Item| item.kind().is_none_or(Kind::is_block);
    if !has_no_else(options) && items.first().is_some_and(may_open) {
        items.insert(0, Item::Kind(Kind::Guard, None));
    }
    items
}
