//! Event traces, as text.

use super::cell::Feature;
use super::draft::Draft;
use super::kind::Access;
use crate::net::tree::Tree;

impl Draft {
    /// A trace over a channel of the model, if there is one for it.
    pub fn trace(&mut self) -> Option<Tree> {
        let named = |access| matches!(access, Access::Global | Access::Array);
        let channels = self.world.channels().filter(|it| named(it.access) && !it.carries_channels);
        let channels: Vec<_> = channels.collect();
        if !self.is_watched || channels.is_empty() {
            return None;
        }
        self.feature(Feature::Trace);
        let channel = self.choose(&channels);
        let index = if channel.access == Access::Array { "[0]" } else { "" };
        let name = format!("{}{index}", channel.name());
        // A direction of the messages, each of which it waits for.
        let sign = self.choose(&["!", "?"]);
        let event = |value: u64| format!("{name}{sign}{value}");
        let any = (0..self.world.values).map(|value| format!(":: {} ", event(value)));
        let any = any.collect::<String>();
        let value = self.value();
        let text = match self.rng.below(6) {
            // It only notices, and is somewhere else then.
            0 | 1 => format!("trace {{ do {any}od }}"),
            2 => {
                let others = (1..self.world.values).map(|value| format!(":: {} ", event(value)));
                let others = others.collect::<String>();
                let first = event(0);
                format!("trace {{ do :: {first}; do {others}:: {first} -> break od {others}od }}")
            }
            3 => format!("trace {{ do :: {name}!0; {name}?0 :: {name}!1; {name}?1 od }}"),
            4 => format!("notrace {{ {name}!{value}; {name}?{value}; {name}!_ }}"),
            _ => format!("notrace {{ {}; {}; {} }}", event(0), event(1), event(0)),
        };
        Some(Tree::leaf("trace", text))
    }
}
