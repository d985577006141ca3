//! Statements about channels, as text.

use super::cell::{Cell, Feature};
use super::choice;
use super::draft::{Draft, Meeting, Site};
use super::kind::{Access, Hold, Kind, Where};
use super::world::{Channel, Global};

/// Something that a receive has for one field: itself, and what a poll has for it.
struct Pattern {
    receive: String,
    poll: String,
}

impl Draft {
    pub fn communication(
        &mut self,
        kind: Kind,
        at: Where,
        site: Site,
        access: Option<Access>,
    ) -> String {
        self.assured_communication(kind, at, site, access).1
    }

    /// A statement about a channel, behind a guard that makes sure that it can be executed.
    pub fn assured_communication(
        &mut self,
        kind: Kind,
        at: Where,
        site: Site,
        access: Option<Access>,
    ) -> (String, String) {
        let (channel, name) = self.channel(kind, at, site, access);
        let process = site.process;
        let is_sorted = kind == Kind::SendSorted;
        if matches!(kind, Kind::Meet | Kind::Send | Kind::SendSorted | Kind::SendChannel) {
            let message = self.message(channel, process);
            let operator = if is_sorted { "!!" } else { "!" };
            if !channel.meets {
                self.sent(channel, &name, process);
            }
            // Not by nfull: beside a rendezvous Spin makes C of it that does not compile.
            let room = if channel.access == Access::Local { 1 } else { self.world.room };
            return (format!("len({name}) < {room}"), format!("{name}{operator}{message}"));
        }
        let certain = matches!(
            kind,
            Kind::MeetMatch | Kind::ReceiveMatch | Kind::ReceiveRandom | Kind::PeekRandom
        );
        let patterns = self.patterns(channel, process, certain);
        let list =
            |part: fn(&Pattern) -> &str| patterns.iter().map(part).collect::<Vec<_>>().join(", ");
        let (receive, poll) = (list(|pattern| &pattern.receive), list(|pattern| &pattern.poll));
        let random = matches!(kind, Kind::ReceiveRandom | Kind::PeekRandom);
        let operator = if random { "??" } else { "?" };
        let text = match kind {
            Kind::Peek | Kind::PeekRandom => format!("{name}{operator}<{receive}>"),
            _ => format!("{name}{operator}{receive}"),
        };
        (format!("{name}{operator}[{poll}]"), text)
    }

    /// A guard that looks at a channel.
    pub fn look(&mut self, kind: Kind, at: Where, site: Site, access: Option<Access>) -> String {
        let (channel, name) = self.channel(kind, at, site, access);
        if kind == Kind::Poll {
            let patterns = self.patterns(channel, site.process, true);
            let poll: Vec<_> = patterns.iter().map(|pattern| pattern.poll.as_str()).collect();
            let operator = self.rng.pick(&["?", "??"]);
            return format!("{name}{operator}[{}]", poll.join(", "));
        }
        let which =
            if site.hold == Hold::DStep { 4 + self.rng.below(2) } else { self.rng.below(6) };
        match which {
            0 => format!("nempty({name})"),
            1 => format!("empty({name})"),
            2 => format!("nfull({name})"),
            3 => format!("full({name})"),
            4 => format!("len({name}) > 0"),
            _ => format!("len({name}) == 0"),
        }
    }

    /// The channel of a statement: declared, counted, with the name that it has here.
    fn channel(
        &mut self,
        kind: Kind,
        at: Where,
        site: Site,
        access: Option<Access>,
    ) -> (Channel, String) {
        let process = site.process;
        let carries_channels = matches!(kind, Kind::SendChannel | Kind::ReceiveChannel);
        let mut access = access.unwrap_or_else(|| choice::access(self, kind));
        let meets = kind.is_meeting();
        if carries_channels {
            access = Access::Global;
        }
        if access == Access::Passed && self.world.passes_meeting != meets {
            access = Access::Global;
        }
        if access == Access::Local && meets {
            access = Access::Global;
        }
        // Several instances would have a channel each; so has everybody.
        let channel = Channel { access, meets, carries_channels };
        let lossy = self.world.lossy;
        self.cells.push(Cell::Channel { kind, access, hold: site.hold, lossy });
        let mut base = channel;
        let name = match access {
            Access::Passed => {
                base = self.passed(process);
                "z".to_owned()
            }
            Access::Local => {
                self.feature(Feature::LocalChannel);
                let locals = &mut self.processes[process].locals;
                locals.insert(("ql", "chan ql = [1] of { byte };"));
                "ql".to_owned()
            }
            Access::Array => {
                self.world.need_channel(channel);
                let index = self.rng.pick(&["0", "0", "0", "1", "a % 2"]);
                format!("{}[{index}]", channel.name())
            }
            _ => {
                self.world.need_channel(channel);
                let reorders =
                    matches!(kind, Kind::SendSorted | Kind::ReceiveRandom | Kind::PeekRandom);
                if reorders && !meets && self.rng.chance(60) {
                    self.world.need_room(channel);
                }
                channel.name().to_owned()
            }
        };
        if meets {
            let (channel, hold) = (base.name(), site.hold);
            self.meetings.push(Meeting { channel, process, kind, at, hold });
        } else if access != Access::Local && kind.is_communication() {
            let sends = matches!(kind, Kind::Send | Kind::SendSorted | Kind::SendChannel);
            let removes = matches!(
                kind,
                Kind::Receive | Kind::ReceiveMatch | Kind::ReceiveRandom | Kind::ReceiveChannel
            );
            if sends || removes {
                self.traffic.insert((base.name(), sends));
            }
        }
        (channel, name)
    }

    /// The channel that this process has in its variable `z`.
    fn passed(&mut self, process: usize) -> Channel {
        let passed = self.world.need_passed();
        if !self.processes[process].is_child {
            let declaration = if passed.meets { "chan z = c;" } else { "chan z = q;" };
            self.processes[process].locals.insert(("z", declaration));
        }
        passed
    }

    fn message(&mut self, channel: Channel, process: usize) -> String {
        if channel.carries_channels {
            let passed = self.world.need_passed();
            return passed.name().to_owned();
        }
        let value = self.reading(process);
        match channel.access {
            Access::Fields => {
                let name = self.rng.pick(&["m1", "m2"]);
                if self.rng.chance(50) {
                    format!("{name}({value})")
                } else {
                    format!("{name}, {value}")
                }
            }
            Access::Struct => {
                self.world.need(Global::Record);
                if self.rng.chance(25) {
                    self.world.need(Global::Records);
                    return format!("rs[{}]", self.rng.below(2));
                }
                "r".to_owned()
            }
            _ => value,
        }
    }

    /// What a receive has for each field.
    fn patterns(&mut self, channel: Channel, process: usize, certain: bool) -> Vec<Pattern> {
        if channel.carries_channels {
            self.passed(process);
            return vec![variable("z")];
        }
        match channel.access {
            Access::Fields => {
                let name = match self.rng.below(3) {
                    0 if certain => {
                        self.world.need(Global::Mtype);
                        Pattern::exactly("eval(m)")
                    }
                    _ if certain => Pattern::exactly(self.rng.pick(&["m1", "m2"])),
                    0 => variable("_"),
                    _ => {
                        self.world.need(Global::Mtype);
                        variable("m")
                    }
                };
                vec![name, self.pattern(process, false)]
            }
            Access::Struct if certain => vec![self.pattern(process, true), variable("_")],
            Access::Struct => {
                self.world.need(Global::Record);
                vec![Pattern { receive: "r".to_owned(), poll: "_, _".to_owned() }]
            }
            _ => vec![self.pattern(process, certain)],
        }
    }

    /// A byte of a message.
    fn pattern(&mut self, process: usize, certain: bool) -> Pattern {
        if certain {
            return match self.rng.below(4) {
                0 => Pattern::exactly(self.rng.pick(&["eval(a)", "eval(b)"])),
                1 => {
                    let x = self.local(process);
                    Pattern::exactly(&format!("eval({x})"))
                }
                _ => {
                    let value = self.value();
                    Pattern::exactly(&value.to_string())
                }
            };
        }
        match self.rng.below(8) {
            0 => variable("_"),
            1..=3 => variable(self.local(process)),
            4 if self.world.has(Global::Array) => variable("t[0]"),
            // Spin's way back is wrong for a narrow variable: few of them.
            5 if self.world.has(Global::Unsigned) && self.rng.chance(20) => variable("u"),
            n => {
                let name = if n % 2 == 0 { "a" } else { "b" };
                let value = self.value();
                self.moment(process, format!("{name} == {value}"));
                variable(name)
            }
        }
    }

    /// What is true when a message has come into a channel.
    fn sent(&mut self, channel: Channel, name: &str, process: usize) {
        let known = matches!(channel.access, Access::Global | Access::Fields | Access::Struct);
        if known && !channel.carries_channels {
            self.moment(process, format!("len({name}) == {}", self.world.room));
        } else if channel.access == Access::Array {
            let array = channel.name();
            self.moment(process, format!("len({array}[0]) == {}", self.world.room));
        }
    }
}

fn variable(name: &str) -> Pattern {
    Pattern { receive: name.to_owned(), poll: "_".to_owned() }
}

impl Pattern {
    fn exactly(value: &str) -> Pattern {
        Pattern { receive: value.to_owned(), poll: value.to_owned() }
    }
}
