//! What decides which commands of a process can be executed, by its control point.
//!
//! Less than its steps depend on: not what a command does, only whether it can be done, why not, and
//! which elements and channels it means (its subscripts and channel expressions, in whatever phase).
//! Partial-order reduction asks for no more of a process. The argument is that of
//! [`footprints`](super::footprints), for [`Phase::Condition`] alone, and without partners: whether somebody
//! is at the other end of a rendezvous is not asked here.

use super::Constants;
use super::footprint::{Finder, Population};
use super::objects::{Channels, Objects};
use super::touch::{self, ChannelUse, Phase, Touch};
use crate::ir::{Action, ExprId, Location, ReceiveArg, Region};

/// Parts of a state, beside its header and the control point of the process.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// Others' frames, globals, and channels with what is in them.
    pub objects: Objects,
    /// Bytes of the frame of the process, from and to.
    pub own: Vec<(u32, u32)>,
    /// Channels of which only the number of messages counts.
    pub fills: Channels,
}

/// By pid and control point; none where it is not known.
pub fn conditions(
    constants: &Constants<'_>,
    population: &Population,
) -> Vec<Vec<Option<Conditions>>> {
    let finder = Finder { constants, population, model: constants.model };
    let of_process = |pid| finder.at_all(pid, |location| finder.conditions(pid, location));
    (0..population.processes.len()).map(of_process).collect()
}

impl<'m> Finder<'_, 'm> {
    fn conditions(&self, pid: usize, location: &'m Location) -> Option<Conditions> {
        let mut found = Conditions::default();
        let mut is_known = true;
        // Subscripts and channels count wherever they are used.
        let mut addresses: Vec<ExprId> = Vec::new();
        for edge in &location.edges {
            let action = &self.model.command(edge.command).action;
            let only_fill = match action {
                Action::Receive(receive) => {
                    !receive.args.iter().any(|arg| matches!(arg, ReceiveArg::Match(_)))
                }
                Action::Send(_) | Action::Transition(_) => true,
                _ => false,
            };
            touch::of_action(self.model, action, &mut |phase, touch| {
                match touch {
                    Touch::Read(cells) | Touch::Write(cells) => {
                        addresses.extend(cells.indices.iter().map(|index| index.value));
                    }
                    Touch::Channel(expr, _) => addresses.push(expr),
                    _ => {}
                }
                if phase == Phase::Condition {
                    is_known &= self.condition(pid, touch, only_fill, &mut found);
                }
            });
        }
        let proctype = self.model.proctype(self.population.processes[pid].proctype);
        addresses.extend(proctype.provided);
        for expr in addresses {
            touch::of_expr(self.model, expr, Phase::Condition, &mut |_, touch| {
                is_known &= self.condition(pid, touch, false, &mut found);
            });
        }
        is_known.then_some(found)
    }

    /// Adds what is looked at; false if that is not known.
    fn condition(
        &self,
        pid: usize,
        touch: Touch<'m>,
        only_fill: bool,
        found: &mut Conditions,
    ) -> bool {
        match touch {
            Touch::Read(cells) if cells.region == Region::Local => {
                found.own.push(self.span(Some(pid), cells));
                true
            }
            Touch::Channel(expr, how) if only_fill && how != ChannelUse::Test => {
                let mut channels = Objects::default();
                let is_known =
                    self.channel(Some(pid), expr, &mut channels, &mut Channels::default());
                found.fills.join(channels.channels);
                is_known
            }
            Touch::Queue(queue, _) => {
                found.fills.add(u32::from(queue.id));
                true
            }
            touch => self.touch(Some(pid), touch, &mut found.objects, &mut Channels::default()),
        }
    }
}
