//! Statements that fail in some states and not in others.

use super::draft::{Draft, Site};
use super::kind::{Hold, Kind};
use super::world::Global;

impl Draft {
    /// A statement of this kind that may fail, if there is one.
    pub fn failing(&mut self, kind: Kind, site: Site) -> Option<String> {
        let x = self.local(site.process);
        let (target, source) = (self.rng.pick(&["a", "b", x]), self.rng.pick(&["a", "b", x]));
        let value = self.value();
        Some(match kind {
            Kind::Assign if site.hold != Hold::DStep && self.rng.chance(5) => {
                self.crowds = true;
                format!("atomic {{ do :: {source} == {value} -> run D() :: else -> break od }}")
            }
            Kind::Assign | Kind::AssignLocal | Kind::Modulo | Kind::Conditional => {
                let target = if kind == Kind::AssignLocal { x } else { target };
                match self.rng.below(4) {
                    0 => format!("{target} = {value} % {source}"),
                    1 => {
                        self.world.need(Global::Array);
                        format!("{target} = t[{source} + {x}]")
                    }
                    2 => format!("{target} = ({source} == {value} -> 1 / {target} : 0)"),
                    _ => format!("{target} = 1 / {source}"),
                }
            }
            Kind::AssignElement | Kind::AssignField => {
                self.world.need(Global::Array);
                match self.rng.below(3) {
                    0 => format!("t[{source} * 2] = {value}"),
                    1 => format!("t[a + b] = {value}"),
                    _ => format!("t[1 / {source}] = {value}"),
                }
            }
            Kind::Guard | Kind::GuardLocal => match self.rng.below(4) {
                0 => format!("1 / {source} == 1"),
                1 => format!("{target} == {value} || 1 % {source} == 0"),
                2 => {
                    self.world.need(Global::Array);
                    format!("t[{source} * 2] == 0")
                }
                _ => format!("{target} != {value} && 1 / {source} == 1"),
            },
            Kind::Printf => format!("printf(\"%d\\n\", 1 / {source})"),
            Kind::Assert => match self.rng.below(2) {
                0 => format!("assert({source} != {value})"),
                _ => format!("assert(1 / {source} < 2)"),
            },
            Kind::SetPriority => format!("set_priority(_pid, {source})"),
            _ => return None,
        })
    }
}
