//! Processes, and whole models.

use std::collections::BTreeSet;

use super::block::{beside, has_no_else};
use super::cell::{Cell, Feature};
use super::draft::{Draft, Flavour, Process, Site};
use super::kind::{Access, Hold, Kind, Position, Where};
use super::skeleton::{Item, Skeleton};
use super::world::Global;
use crate::net::spin_rules::MAY_FAIL;
use crate::net::tree::Tree;

/// What the processes of a model must contain.
pub struct PromelaPlan {
    pub skeletons: Vec<Vec<Skeleton>>,
    pub features: Vec<Feature>,
}

impl Draft {
    /// The whole model.
    pub fn model(&mut self, plan: PromelaPlan) -> Tree {
        let PromelaPlan { mut skeletons, features } = plan;
        self.sketch(skeletons.len(), &features);
        let mut processes = Vec::new();
        for (process, skeletons) in skeletons.drain(..).enumerate() {
            processes.push(self.process(process, skeletons, &features));
        }
        if self.world.features.contains(&Feature::RunArguments) {
            processes.push(self.child());
        }
        processes.extend(self.environment());
        let clocks = self.rng.chance(6).then(|| self.clocks());
        if self.crowds {
            processes.push(Tree::leaf("process", "proctype D() { false }"));
        }
        self.count_meetings();
        let mut pieces = self.world.declarations();
        if self.fails {
            pieces.insert(0, Tree { droppable: false, ..Tree::leaf("remark", MAY_FAIL) });
        }
        for (number, _) in self
            .processes
            .iter()
            .enumerate()
            .filter(|&(number, process)| process.stamps > 0 || number == 1 && self.meets_late)
        {
            pieces.push(Tree::leaf("declaration", format!("byte g{number};")));
        }
        if let Some((declaration, mut timers)) = clocks {
            pieces.push(declaration);
            processes.append(&mut timers);
        }
        pieces.extend(self.trace());
        pieces.append(&mut self.inlines);
        pieces.append(&mut processes);
        Tree::block("model", "", pieces, "")
    }

    /// Names and shapes of the processes, before anything is written.
    fn sketch(&mut self, many: usize, features: &[Feature]) {
        let mut pid = 0;
        for number in 0..many {
            let is_last = number + 1 == many;
            let wants_two = features.contains(&Feature::Instances) && number == 0;
            let two = wants_two || many == 1 && self.rng.chance(30) || self.rng.chance(3);
            let names_others = number == 1 && features.contains(&Feature::Remote);
            let is_immortal = number == 0 || names_others || self.rng.chance(65);
            let wants_init = features.contains(&Feature::Init) || self.rng.chance(8);
            if wants_init && is_last && number > 0 {
                self.feature(Feature::Init);
                let name = "init".to_owned();
                let target = format!("out{number}");
                let (instances, is_init) = (1, true);
                self.processes.push(Process {
                    name,
                    pid,
                    instances,
                    is_init,
                    target,
                    ..Default::default()
                });
                break;
            }
            let target =
                if is_immortal { format!("again{number}") } else { format!("out{number}") };
            // Others may look at `x` of a process that is always there.
            let locals =
                if is_immortal { BTreeSet::from([("x", "byte x;")]) } else { BTreeSet::new() };
            let stamp_chance = self.choose(&[0, 15, 70]);
            self.processes.push(Process {
                stamp_chance,
                locals,
                name: format!("P{number}"),
                pid,
                instances: if two { 2 } else { 1 },
                is_immortal,
                target,
                ..Process::default()
            });
            if two {
                self.feature(Feature::Instances);
            }
            pid += if two { 2 } else { 1 };
        }
    }

    fn process(&mut self, number: usize, skeletons: Vec<Skeleton>, features: &[Feature]) -> Tree {
        let site =
            Site { process: number, hold: Hold::Free, repeats: false, breakable: false, depth: 0 };
        self.budget = match skeletons.len() {
            0 => 2 + self.rng.below(4) as u32,
            _ => 1 + self.rng.below(2) as u32,
        };
        let tempts = self.misnames || self.rng.chance(if skeletons.len() > 1 { 30 } else { 60 });
        let (mut first, mut once, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for skeleton in skeletons {
            let needs_once = skeleton.has(Kind::makes_process);
            match skeleton.at {
                Where::Body if skeleton.items.len() == 1 => first = skeleton.items,
                Where::Body => once.extend(skeleton.items),
                _ if needs_once || !self.processes[number].is_immortal || self.rng.chance(25) => {
                    once.push(Item::Nest(skeleton));
                }
                _ => again.push(Item::Nest(skeleton)),
            }
        }
        let mut items = first;
        items.append(&mut once);
        // Others can be named only by those behind them.
        let of_this = |&&feature: &&Feature| number == usize::from(feature == Feature::Remote);
        for item in features.iter().filter(of_this).filter_map(|&feature| item_of(feature)) {
            let waits = item.kind().is_some_and(Kind::may_block);
            if waits { again.push(item) } else { items.push(item) }
        }
        if items.is_empty() || self.rng.chance(30) {
            items.extend(self.some(2));
        }
        let tempting = match number {
            0 if self.meets_late => self.late_receiver(),
            1 if self.meets_late => self.early_sender(),
            _ if tempts => self.tempting(number),
            _ => Vec::new(),
        };
        let is_immortal = self.processes[number].is_immortal;
        if !is_immortal {
            items.extend(tempting.iter().cloned());
            items.extend(self.some(3));
        }
        let mut body = self.sequence(Where::Body, site, items);
        if is_immortal {
            body.extend(self.main_loop(number, site, again, tempting));
        } else if self.processes[number].jumps_to_target {
            self.feature(Feature::Dying);
            body.push(Tree::leaf("label", format!("out{number}:")));
            body.push(Tree::leaf("skip", "skip;"));
        } else {
            self.feature(Feature::Dying);
        }
        let wants_provided = features.contains(&Feature::Provided);
        let chance = if self.uses_provided { 60 } else { 3 };
        let provided = if wants_provided || self.rng.chance(chance) {
            self.feature(Feature::Provided);
            let value = self.value();
            let clause = match self.rng.below(3) {
                0 => format!("a != {value} || _pid == b"),
                1 if self.world.has(Global::Hidden) => format!("a != {value} || h == {value}"),
                _ => format!("a != {value} || b == {value}"),
            };
            format!(" provided ({clause})")
        } else {
            String::new()
        };
        let wants_priority = features.contains(&Feature::Priority);
        let priority = if self.uses_priority && (wants_priority || self.rng.chance(70)) {
            self.feature(Feature::Priority);
            format!(" priority {}", 1 + self.rng.below(3))
        } else {
            String::new()
        };
        let process = &self.processes[number];
        let active = match process.instances {
            1 => "active".to_owned(),
            many => format!("active [{many}]"),
        };
        let head = if process.is_init {
            format!("init{priority} {{")
        } else {
            format!("{active} proctype {}(){priority}{provided} {{", process.name)
        };
        self.with_locals(number, head, body)
    }

    /// The body behind the declarations of the local variables, which are known only now.
    fn with_locals(&mut self, number: usize, head: String, body: Vec<Tree>) -> Tree {
        let process = &self.processes[number];
        let mut pieces: Vec<Tree> = process
            .locals
            .iter()
            .map(|(_, declaration)| Tree::leaf("declaration", *declaration))
            .collect();
        for counter in 1..=process.counters {
            pieces.push(Tree::leaf("declaration", format!("byte i{counter};")));
        }
        pieces.extend(body);
        Tree::block("process", head, pieces, "}")
    }

    /// The loop that a process never leaves.
    fn main_loop(
        &mut self,
        number: usize,
        site: Site,
        again: Vec<Item>,
        tempting: Vec<Item>,
    ) -> Vec<Tree> {
        let inside = Site { repeats: true, breakable: false, ..site };
        let mut options = Vec::new();
        if !tempting.is_empty() {
            options.push(tempting);
        }
        for item in again {
            let mut items = Vec::new();
            // An option that can always be taken keeps what stands beside it from mattering.
            if self.rng.chance(30) {
                items.push(Item::Kind(Kind::Guard, None));
            }
            items.push(item);
            options.push(items);
        }
        while options.len() < 2 || self.budget > 0 && options.len() < 4 && self.rng.chance(60) {
            options.push(self.some(3));
        }
        let kind = Kind::Do;
        let (at, hold, position) = (Where::Body, Hold::Free, Position::Later);
        self.cells.push(Cell::Place { kind, at, hold, position });
        let mut pieces = Vec::new();
        for items in options {
            let items = beside(&pieces, items);
            pieces.push(self.option(Where::Do, inside, items));
        }
        if self.rng.chance(15) {
            let items = vec![Item::Kind(Kind::Timeout, None), Item::Kind(Kind::Assign, None)];
            pieces.push(self.option(Where::Do, inside, items));
        } else if has_no_else(&pieces) && self.rng.chance(20) {
            let items = vec![Item::Kind(Kind::Else, None), Item::Kind(Kind::Assign, None)];
            pieces.push(self.option(Where::Do, inside, items));
        }
        let target = self.processes[number].target.clone();
        let mut labels = format!("{target}:");
        if self.rng.chance(60) {
            labels += &format!(" end{number}x:");
        }
        if self.flavour == Flavour::Progress && self.rng.chance(50) {
            self.has_progress = true;
            labels += &format!(" progress{number}x:");
        }
        let reference = self.processes[number].reference();
        self.moment(number, format!("{reference}@{target}"));
        vec![Tree::leaf("label", labels), Tree::block("do", "do", pieces, "od;")]
    }

    /// The process that others start.
    fn child(&mut self) -> Tree {
        let number = self.processes.len();
        self.processes.push(Process {
            name: "C".to_owned(),
            instances: 2,
            is_child: true,
            target: format!("out{number}"),
            ..Process::default()
        });
        let site =
            Site { process: number, hold: Hold::Free, repeats: true, breakable: false, depth: 1 };
        self.budget = 2;
        let mut items = self.some(2);
        if self.rng.chance(50) {
            let kind = if self.world.passes_meeting { Kind::MeetReceive } else { Kind::Send };
            items.push(Item::Kind(kind, Some(Access::Passed)));
        }
        let mut body = self.sequence(Where::Body, site, items);
        if self.processes[number].jumps_to_target {
            body.push(Tree::leaf("label", format!("out{number}:")));
            body.push(Tree::leaf("skip", "skip;"));
        }
        self.with_locals(number, "proctype C(byte x; chan z) {".to_owned(), body)
    }

    /// A process that does what nobody else does: without it, much would wait for ever.
    fn environment(&mut self) -> Option<Tree> {
        let mut options: Vec<Item> = Vec::new();
        let channels: Vec<_> = self.world.channels().collect();
        for channel in channels {
            let access = Some(channel.access);
            let name = channel.name();
            let (sends, receives) = if channel.meets {
                let mut uses = self.meetings.iter().filter(|meeting| meeting.channel == name);
                let sends = uses.clone().any(|meeting| meeting.kind == Kind::Meet);
                (sends, uses.any(|meeting| meeting.kind != Kind::Meet))
            } else {
                (self.traffic.contains(&(name, true)), self.traffic.contains(&(name, false)))
            };
            let (send, receive) = match (channel.meets, channel.carries_channels) {
                (_, true) => (Kind::SendChannel, Kind::ReceiveChannel),
                (true, _) => (Kind::Meet, Kind::MeetReceive),
                _ => (Kind::Send, Kind::Receive),
            };
            if receives && !sends {
                options.push(Item::Kind(send, access));
            } else if sends && !receives {
                options.push(Item::Kind(receive, access));
            }
        }
        // Somebody should change what guards look at.
        let stirs = self.stirs || self.rng.chance(if options.is_empty() { 15 } else { 35 });
        if options.is_empty() && !stirs {
            return None;
        }
        let number = self.processes.len();
        let pid = self.processes.iter().filter(|process| !process.is_child);
        let pid = pid.map(|process| process.instances).sum();
        self.processes.push(Process {
            name: "E".to_owned(),
            pid,
            instances: 1,
            is_immortal: true,
            target: format!("again{number}"),
            ..Process::default()
        });
        let site =
            Site { process: number, hold: Hold::Free, repeats: true, breakable: false, depth: 1 };
        let mut options: Vec<Tree> =
            options.into_iter().map(|item| self.option(Where::Do, site, vec![item])).collect();
        if stirs {
            let values = self.world.values;
            for name in ["a", "b"] {
                let text = format!("{name} = ({name} + 1) % {values};");
                options.push(Tree::block("option", "::", vec![Tree::leaf("assign", text)], ""));
            }
        }
        let body = vec![
            Tree::leaf("label", format!("again{number}: end{number}x:")),
            Tree::block("do", "do", options, "od;"),
        ];
        Some(self.with_locals(number, "active proctype E() {".to_owned(), body))
    }

    /// Whether two atomic sequences may hand control to each other for ever, without a state in
    /// between: each receives in a rendezvous and sends in another.
    pub fn may_be_endless(&self) -> bool {
        let has = |process: usize, is_send: bool| {
            self.meetings.iter().any(|meeting| {
                meeting.process == process
                    && meeting.hold == Hold::Atomic
                    && (meeting.kind == Kind::Meet) == is_send
            })
        };
        let both =
            (0..self.processes.len()).filter(|&process| has(process, true) && has(process, false));
        both.map(|process| self.processes[process].instances).sum::<u64>() > 1
    }

    /// Notes who may meet whom.
    fn count_meetings(&mut self) {
        for send in self.meetings.iter().filter(|meeting| meeting.kind == Kind::Meet) {
            for receive in &self.meetings {
                let apart =
                    send.process != receive.process || self.processes[send.process].instances > 1;
                if receive.kind != Kind::Meet && receive.channel == send.channel && apart {
                    self.cells.push(Cell::Meeting {
                        sender: (send.at, send.hold),
                        receiver: (receive.at, receive.hold),
                        matches: receive.kind == Kind::MeetMatch,
                    });
                }
            }
        }
    }
}

/// A statement that gives a model such a feature.
fn item_of(feature: Feature) -> Option<Item> {
    let kind = match feature {
        Feature::Typedef | Feature::StructArray => Kind::AssignField,
        Feature::RunArguments | Feature::Dying => Kind::Run,
        Feature::RunInLoop => {
            let items = vec![Item::Kind(Kind::Run, None)];
            return Some(Item::Nest(Skeleton { at: Where::For, items }));
        }
        Feature::ElseAtMeeting => {
            let items = vec![Item::Kind(Kind::Meet, None)];
            return Some(Item::Nest(Skeleton { at: Where::If, items }));
        }
        Feature::Pid | Feature::Count | Feature::Last => Kind::GuardSystem,
        Feature::Remote => Kind::GuardRemote,
        Feature::Timeout => Kind::Timeout,
        Feature::MtypeSet => Kind::AssignMtype,
        Feature::Overflow => Kind::Overflow,
        Feature::NegativeModulo => Kind::Modulo,
        Feature::Hidden => Kind::AssignHidden,
        Feature::ChannelMessage => Kind::SendChannel,
        Feature::LocalChannel => return Some(Item::Kind(Kind::Send, Some(Access::Local))),
        Feature::ChannelArray => return Some(Item::Kind(Kind::Send, Some(Access::Array))),
        Feature::PassedChannel => Kind::ReceiveChannel,
        Feature::Trace => return Some(Item::Kind(Kind::Send, Some(Access::Global))),
        Feature::Inline => Kind::Inline,
        Feature::Unless => Kind::Unless,
        Feature::Instances
        | Feature::Provided
        | Feature::Priority
        | Feature::Lossy
        | Feature::Init => return None,
    };
    Some(Item::Kind(kind, None))
}
