//! What a property looks at, and which commands may change it.

use lariat_core::makes_mistake;
use lariat_model::analysis::{Access, Phase, Touch, touch};
use lariat_model::ir::expr::Instance as Named;
use lariat_model::ir::{Action, CommandId, Expr, ExprId, LocationId, Model, ProctypeId, Region};

use crate::instance::Identity;
use crate::reason::Reason;
use crate::set::{Bytes, Ids};
use crate::touched::{Touched, Use};
use crate::world::World;

/// Parts of the state that propositions depend on.
pub(crate) struct Visible {
    /// As a process without locals would touch it.
    looks: Touched,
    writes_seen: Bytes,
    channels: Ids,
    controls: Vec<(Owner, LocationId)>,
    locals: Vec<(Owner, u32, u32)>,
    progress: bool,
    accept: bool,
}

/// Whose control point or variable it is.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Pid(usize),
    Type(ProctypeId),
    Anybody,
}

impl Owner {
    fn is(self, process: &Identity) -> bool {
        match self {
            Owner::Pid(pid) => pid == process.pid,
            Owner::Type(proctype) => proctype == process.fixed.proctype,
            Owner::Anybody => true,
        }
    }
}

impl Visible {
    pub(crate) fn new(world: &World<'_>, propositions: &[ExprId]) -> Result<Visible, Reason> {
        let model = world.model;
        let mut visible = Visible {
            looks: world.nothing(),
            writes_seen: Bytes::none(model.globals_size),
            channels: Ids::default(),
            controls: Vec::new(),
            locals: Vec::new(),
            progress: false,
            accept: false,
        };
        for &root in propositions {
            world.add_expr(world.anybody(), root, &mut visible.looks);
            visible.add_remote(world, root)?;
        }
        visible.writes_seen.join(&visible.looks.reads);
        visible.channels = visible.looks.channels();
        Ok(visible)
    }

    /// Control points and variables of processes.
    fn add_remote(&mut self, world: &World<'_>, root: ExprId) -> Result<(), Reason> {
        let model = world.model;
        let mut reason = None;
        model.exprs.walk(root, &mut |_, node| match node {
            Expr::At(remote) => {
                self.looks.counts = true;
                self.controls.push((owner(model, &remote.instance), remote.location));
            }
            Expr::NonProgress => self.progress = true,
            Expr::AtAccept => self.accept = true,
            Expr::Timeout => reason = Some("a proposition asks for `timeout`"),
            Expr::Last => reason = Some("`_last` tells who moved last"),
            Expr::Enabled(_) => reason = Some("a proposition asks for `enabled()`"),
            Expr::PcValue(_) => reason = Some("a proposition asks for `pc_value()`"),
            Expr::Priority | Expr::GetPriority(_) => {
                reason = Some("a proposition asks for priorities");
            }
            _ => {}
        });
        touch::of_expr(model, root, Phase::Condition, &mut |_, touch| match touch {
            Touch::RemoteVariable(instance, cells) => {
                let (start, end) = cells.span();
                self.looks.counts = true;
                self.locals.push((owner(model, instance), start, end));
            }
            Touch::Read(cells) if cells.region == Region::Hidden => {
                reason = Some("a proposition reads a hidden variable");
            }
            _ => {}
        });
        // A process that is named by its pid may be of another type, with a shorter frame.
        let reads = model.expr_accesses(root).reads;
        if reads.contains(&Access::Everything) && !world.has_fixed_processes() {
            reason.get_or_insert("a proposition reads a variable of a process by its number");
        }
        reason.map_or(Ok(()), |reason| Err(Reason::new(reason)))
    }

    /// Whether it looks at processes by their pids.
    pub(crate) fn names_pids(&self) -> bool {
        let of_controls = self.controls.iter().map(|&(owner, _)| owner);
        let of_locals = self.locals.iter().map(|&(owner, ..)| owner);
        of_controls.chain(of_locals).any(|owner| matches!(owner, Owner::Pid(_)))
    }

    /// Whether a command may change a proposition by what it does to globals and channels.
    pub(crate) fn is_changed_by(&self, touched: &Touched) -> bool {
        if makes_mistake("por-visible") {
            return false;
        }
        let changing = Use::ALL.into_iter().filter(|&how| match how {
            Use::Peek | Use::Test | Use::Offer | Use::Accept => false,
            Use::Ready | Use::Calling => false,
            Use::Send | Use::SortedSend | Use::Receive | Use::Any | Use::Free | Use::Create => true,
        });
        let changed = changing.fold(Ids::default(), |ids, how| ids.or(touched.uses(how)));
        touched.writes.meets(&self.writes_seen)
            || changed.meets(self.channels)
            || self.looks.counts && (touched.starts || touched.ends)
    }

    /// Whether a command by itself may change a proposition otherwise: by going from one control
    /// point to another, by writing a local variable.
    pub(crate) fn is_seen(
        &self,
        model: &Model,
        process: &Identity,
        at: LocationId,
        id: CommandId,
    ) -> bool {
        if makes_mistake("por-visible-control") {
            return false;
        }
        let command = model.command(id);
        let proctype = model.proctype(process.fixed.proctype);
        let ends = matches!(command.action, Action::End);
        let moves = ends || command.target != at;
        let target = (!ends).then_some(command.target);
        let is_there = |location: LocationId| location == at || Some(location) == target;
        let passes =
            |is_such: &dyn Fn(LocationId) -> bool| is_such(at) || target.is_some_and(is_such);
        let is_progress = |id: LocationId| proctype.locations[id.0 as usize].is_progress;
        let is_accept = |id: LocationId| proctype.locations[id.0 as usize].is_accept;
        let at_label =
            |&(owner, location): &(Owner, LocationId)| owner.is(process) && is_there(location);
        let written = |&(owner, start, end): &(Owner, u32, u32)| {
            let meets = |access: &Access| matches!(*access, Access::Local { start: from, end: to } if start < to && from < end);
            // Variables that die there become 0.
            let dies = target.is_some_and(|target| {
                let dead = &proctype.locations[target.0 as usize].dead;
                dead.iter().any(|&(from, to)| start < to && from < end)
            });
            owner.is(process) && (dies || model.accesses(id).writes.iter().any(meets))
        };
        let starts_labelled = || {
            let mut started = Vec::new();
            crate::world::started_by_command(model, id, &mut started);
            started.iter().any(|&id| {
                let proctype = model.proctype(id);
                let first = &proctype.locations[proctype.initial.0 as usize];
                first.is_progress && self.progress || first.is_accept && self.accept
            })
        };
        moves && self.controls.iter().any(at_label)
            || moves && self.progress && passes(&is_progress)
            || moves && self.accept && passes(&is_accept)
            || (self.progress || self.accept) && starts_labelled()
            || self.locals.iter().any(written)
    }
}

/// The process that a remote reference means. A pid is not asked for its type.
fn owner(model: &Model, instance: &Named) -> Owner {
    match instance.pid.map(|pid| model.exprs.get(pid)) {
        None => Owner::Type(instance.proctype),
        Some(&Expr::Const(pid)) => usize::try_from(pid).map_or(Owner::Anybody, Owner::Pid),
        Some(_) => Owner::Anybody,
    }
}
