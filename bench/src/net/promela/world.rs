//! What a model declares: made when a statement first needs it.

use std::collections::{BTreeMap, BTreeSet};

use super::cell::Feature;
use super::kind::{Access, named};
use crate::net::tree::Tree;

named! {
    /// Global variables.
    Global {
        A = "byte a;",
        B = "byte b;",
        Array = "byte t[2];",
        Record = "R r;",
        Records = "R rs[2];",
        Mtype = "mtype m = m1;",
        Color = "mtype:color k = red;",
        Hidden = "hidden byte h;",
        Wrap = "byte w;",
        Short = "short s;",
        Unsigned = "unsigned u : 2;",
    }
}

/// A channel of the model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Channel {
    pub access: Access,
    /// Without room for a message.
    pub meets: bool,
    pub carries_channels: bool,
}

impl Channel {
    pub fn name(self) -> &'static str {
        if self.carries_channels {
            return if self.meets { "kc" } else { "kq" };
        }
        match (self.access, self.meets) {
            (Access::Array, true) => "cs",
            (Access::Array, false) => "qs",
            (Access::Fields, true) => "cf",
            (Access::Fields, false) => "qf",
            (Access::Struct, true) => "ct",
            (Access::Struct, false) => "qt",
            (Access::Local, _) => "ql",
            (Access::Passed, _) => "z",
            (Access::Global, true) => "c",
            (Access::Global, false) => "q",
        }
    }
}

/// The declarations of a model.
#[derive(Debug)]
pub struct World {
    /// Values are below it.
    pub values: u64,
    /// How many messages a channel has room for.
    pub room: u64,
    pub lossy: bool,
    /// Whether the channels that are passed on are rendezvous channels.
    pub passes_meeting: bool,
    pub features: BTreeSet<Feature>,
    globals: BTreeSet<Global>,
    /// With the room of each.
    channels: BTreeMap<Channel, u64>,
    has_typedef: bool,
    has_mtype: bool,
}

impl World {
    pub fn new(values: u64, room: u64) -> World {
        World {
            values,
            room,
            lossy: false,
            passes_meeting: false,
            features: BTreeSet::new(),
            globals: BTreeSet::from([Global::A, Global::B]),
            channels: BTreeMap::new(),
            has_typedef: false,
            has_mtype: false,
        }
    }

    pub fn has(&self, global: Global) -> bool {
        self.globals.contains(&global)
    }

    pub fn extra_globals(&self) -> usize {
        self.globals.len() - 2
    }

    pub fn channels(&self) -> impl Iterator<Item = Channel> {
        self.channels.keys().copied()
    }

    pub fn need(&mut self, global: Global) {
        self.globals.insert(global);
        match global {
            Global::Record => self.need_typedef(),
            Global::Records => {
                self.need_typedef();
                self.features.insert(Feature::StructArray);
            }
            Global::Mtype => self.has_mtype = true,
            Global::Color => {
                self.features.insert(Feature::MtypeSet);
            }
            Global::Hidden => {
                self.features.insert(Feature::Hidden);
            }
            _ => {}
        }
    }

    pub fn need_typedef(&mut self) {
        self.has_typedef = true;
        self.features.insert(Feature::Typedef);
    }

    /// Declares a channel that is not local to a process.
    pub fn need_channel(&mut self, channel: Channel) {
        match channel.access {
            Access::Fields => self.has_mtype = true,
            Access::Struct => self.need_typedef(),
            Access::Array => {
                self.features.insert(Feature::ChannelArray);
            }
            _ => {}
        }
        if channel.carries_channels {
            self.features.insert(Feature::ChannelMessage);
        }
        let room = if channel.meets { 0 } else { self.room };
        self.channels.entry(channel).or_insert(room);
    }

    /// The channel has room for two messages, which can change their order.
    pub fn need_room(&mut self, channel: Channel) {
        self.channels.entry(channel).and_modify(|room| *room = 2);
    }

    /// The channel that is passed on.
    pub fn need_passed(&mut self) -> Channel {
        self.features.insert(Feature::PassedChannel);
        let passed =
            Channel { access: Access::Global, meets: self.passes_meeting, carries_channels: false };
        self.need_channel(passed);
        passed
    }

    /// The declarations as text.
    pub fn declarations(&self) -> Vec<Tree> {
        let mut all = Vec::new();
        let mut declare = |text: String| all.push(Tree::leaf("declaration", text));
        if self.has_typedef {
            declare("typedef R { byte x; bit y };".to_owned());
        }
        if self.has_mtype {
            declare("mtype = { m1, m2 };".to_owned());
        }
        if self.has(Global::Color) {
            declare("mtype:color = { red, blue };".to_owned());
        }
        for global in &self.globals {
            declare(global.name().to_owned());
        }
        for (channel, room) in &self.channels {
            let name = channel.name();
            let size = if channel.access == Access::Array { "[2]" } else { "" };
            let fields = match channel.access {
                _ if channel.carries_channels => "chan",
                Access::Fields => "mtype, byte",
                Access::Struct => "R",
                _ => "byte",
            };
            declare(format!("chan {name}{size} = [{room}] of {{ {fields} }};"));
        }
        all
    }
}
