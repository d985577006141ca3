//! A DVE model in the making.

use std::collections::BTreeSet;

use super::cell::Shape;
use super::kind::{Effect, Feature, Guard, Sync};
use crate::net::tree::Tree;
use crate::random::Rng;

/// A transition, with its states by number.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    pub from: usize,
    pub to: usize,
    pub shape: Shape,
}

/// A process, before it is text.
#[derive(Clone, Debug, Default)]
pub struct Process {
    pub name: String,
    /// By state.
    pub committed: Vec<bool>,
    pub transitions: Vec<Transition>,
}

impl Process {
    pub fn state(&mut self, committed: bool) -> usize {
        self.committed.push(committed);
        self.committed.len() - 1
    }
}

#[derive(Debug)]
pub struct Draft {
    pub rng: Rng,
    /// Values are below it.
    pub values: u64,
    pub room: u64,
    pub processes: Vec<Process>,
    pub features: BTreeSet<Feature>,
    /// Some guards and effects fail in some states.
    pub fails: bool,
    /// All processes move at once (`system sync`).
    pub lockstep: bool,
    /// Channels that are used, by name.
    pub channels: BTreeSet<&'static str>,
    /// What is true just behind some transition, by process.
    pub moments: Vec<(usize, String)>,
}

impl Draft {
    pub fn value(&mut self) -> u64 {
        self.rng.below(self.values)
    }

    pub fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len() as u64) as usize]
    }

    fn global(&mut self) -> &'static str {
        self.rng.pick(&["a", "b"])
    }

    /// The text of a transition. The comma is at its beginning, so that it may be dropped.
    pub fn transition(&mut self, process: usize, transition: Transition) -> Tree {
        let Transition { from, to, shape } = transition;
        let mut parts = Vec::new();
        if let Some(guard) = self.guard(process, shape.guard) {
            parts.push(Tree::leaf("guard", format!("guard {guard};")));
        }
        if let Some(sync) = self.sync(shape.sync) {
            parts.push(Tree::leaf("sync", format!("sync {sync};")));
        }
        if let Some(effect) = self.effect(process, transition) {
            let mut leaf = Tree::leaf("effect", format!("effect {effect};"));
            leaf.simpler.push("effect x = 0;".to_owned());
            parts.push(leaf);
        }
        Tree::block("transition", format!(", s{from} -> s{to} {{"), parts, "}")
    }

    fn guard(&mut self, process: usize, guard: Guard) -> Option<String> {
        let value = self.value();
        let operator = self.rng.pick(&["==", "!=", "!="]);
        let global = self.global();
        let other = self.other(process);
        let fails = self.fails && self.rng.chance(25);
        Some(match guard {
            Guard::None => return None,
            Guard::Global | Guard::Bits | Guard::Imply if fails => self
                .rng
                .pick(&["1 / a == 1", "b == 1 and 1 % a == 0", "a == 0 or 1 / b < 2"])
                .into(),
            Guard::Local if fails => format!("{value} % x {operator} 0"),
            Guard::Element if fails => {
                self.features.insert(Feature::Array);
                format!("t[{global} * 2] {operator} {value}")
            }
            Guard::Global => match self.rng.below(4) {
                0 => "a == b".to_owned(),
                1 => format!("{global} {operator} {value} or a == b"),
                _ => format!("{global} {operator} {value}"),
            },
            Guard::Local => format!("x {operator} {value}"),
            Guard::Element => {
                self.features.insert(Feature::Array);
                format!("t[{global} % 2] {operator} {value}")
            }
            Guard::Process => {
                let state = self.rng.below(self.processes[other].committed.len() as u64);
                let reference = format!("{}.s{state}", self.processes[other].name);
                if self.rng.chance(50) { reference } else { format!("not ({reference})") }
            }
            Guard::Foreign => {
                self.features.insert(Feature::Foreign);
                format!("{}->x {operator} {value}", self.processes[other].name)
            }
            Guard::Bits => match self.rng.below(4) {
                0 => "(a & 1) == (b | 0)".to_owned(),
                1 => "a << 1 != b + 2".to_owned(),
                2 => "~a < -1 or b == 0".to_owned(),
                _ => "(a ^ b) != 1 and (a >> 1) == 0".to_owned(),
            },
            Guard::Imply => format!("a == {value} imply b {operator} {value}"),
        })
    }

    /// Another process, if there is one.
    fn other(&mut self, process: usize) -> usize {
        let many = self.processes.len();
        (process + 1 + self.rng.below(many as u64) as usize) % many
    }

    fn sync(&mut self, sync: Sync) -> Option<String> {
        let name = sync.channel();
        if sync == Sync::None {
            return None;
        }
        self.channels.insert(name);
        match sync {
            Sync::SendTyped | Sync::ReceiveTyped => {
                self.features.insert(Feature::Typed);
            }
            Sync::Put | Sync::Take | Sync::PutTwo | Sync::TakeTwo => {
                self.features.insert(Feature::Buffered);
            }
            _ => {}
        }
        let (value, more) = (self.sent(), self.sent());
        let target = self.rng.pick(&["x", "x", "a", "b"]);
        Some(match sync {
            Sync::Send => format!("{name}!"),
            Sync::Receive => format!("{name}?"),
            Sync::SendTwo | Sync::PutTwo => format!("{name}!{{{value}, {more}}}"),
            Sync::ReceiveTwo | Sync::TakeTwo => {
                let target = if target == "x" { "a" } else { target };
                format!("{name}?{{x, {target}}}")
            }
            _ if sync.sends() => format!("{name}!{value}"),
            _ => format!("{name}?{target}"),
        })
    }

    fn sent(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.value().to_string(),
            1 => "x".to_owned(),
            2 => format!("({} + 1) % {}", self.global(), self.values),
            _ => self.global().to_owned(),
        }
    }

    fn effect(&mut self, process: usize, transition: Transition) -> Option<String> {
        let value = self.value();
        let values = self.values;
        // Both sides of a rendezvous that assign to one global are a run-time error: so they have
        // one each, mostly.
        let is_clash = self.rng.chance(2);
        let sync = transition.shape.sync;
        let receives = if self.lockstep { process == 1 } else { sync.meets() && !sync.sends() };
        let receives = receives && !is_clash;
        let global = match receives {
            _ if is_clash || !(sync.meets() || self.lockstep) => self.global(),
            true => "b",
            false => "a",
        };
        let other = if global == "a" { "b" } else { "a" };
        let effect = match transition.shape.effect {
            // There are globals for two only.
            effect if self.lockstep && process > 1 && effect != Effect::None => Effect::Local,
            effect => effect,
        };
        let fails = self.fails && self.rng.chance(30);
        let text = match effect {
            Effect::None => return None,
            Effect::Local if fails => match self.rng.below(3) {
                0 => format!("x = {other} - 1"),
                1 => format!("x = 1 / {other}"),
                _ => format!("x = {value} % x"),
            },
            Effect::Element if fails => {
                self.features.insert(Feature::Array);
                format!("{}[{other} * 2] = {value}", if receives { "v" } else { "t" })
            }
            _ if fails => match self.rng.below(4) {
                0 => format!("{global} = 2 * {other} - 1"),
                1 => format!("{global} = 1 / {other}"),
                2 => format!("{global} = {value}, x = 1 % {global}"),
                _ => format!("{global} = {other} * 255 + {value}"),
            },
            Effect::Constant => {
                self.moments.push((process, format!("{global} == {value}")));
                format!("{global} = {value}")
            }
            Effect::Global => {
                self.moments.push((process, format!("{global} == {value}")));
                format!("{global} = ({global} + {other} + 1) % {values}")
            }
            Effect::Local => match self.rng.below(3) {
                0 => format!("x = {other}"),
                1 => format!("x = (x + 1) % {values}"),
                _ => format!("x = {value}"),
            },
            Effect::Element => {
                self.features.insert(Feature::Array);
                let index = self.rng.pick(&["0", "1", "a % 2", "x % 2", "t[0] % 2"]);
                let array = if receives { "v" } else { "t" };
                self.moments.push((process, format!("{array}[0] == {}", value % 2)));
                format!("{array}[{index}] = {}", self.rng.pick(&["1", "0", "1 - t[1]", "x % 2"]))
            }
            Effect::Two => {
                self.moments.push((process, format!("{global} == {value}")));
                format!("{global} = {value}, x = ({global} + 1) % {values}")
            }
            Effect::Negative => {
                self.features.insert(Feature::Int);
                let n = if receives { "m" } else { "n" };
                self.moments.push((process, format!("{n} == -{}", value % 3)));
                match self.rng.below(3) {
                    0 => format!("{n} = ({n} - 1) % 3"),
                    1 => format!("{n} = -x"),
                    _ => format!("{n} = (-5 - {n}) % 2"),
                }
            }
            Effect::Condition => {
                self.moments.push((process, format!("{global} == 1")));
                format!("{global} = ({other} == {value}) and not (x == 1)")
            }
            Effect::Wide if self.rng.chance(3) => format!("{global} = {other} * 256 + {value}"),
            Effect::Wide => match self.rng.below(3) {
                0 => format!("{global} = ({global} + 255 + {other}) % {values}"),
                1 => format!("{global} = ({global} - 40000 * {other} + 80001) % {values}"),
                _ => format!("{global} = ({other} * 300 + {value}) % 256 % {values}"),
            },
            Effect::State => {
                let (name, to) = (&self.processes[process].name, transition.to);
                format!("x = {name}.s{to}, {global} = {name}.s{}", transition.from)
            }
        };
        Some(text)
    }
}
