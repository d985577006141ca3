//! Statements that are no blocks, as text.

use super::cell::Feature;
use super::draft::{Draft, Site};
use super::kind::{Access, Hold, Kind, Where};
use super::world::Global;

impl Draft {
    /// The text of a statement, without its semicolon.
    pub fn statement(
        &mut self,
        kind: Kind,
        at: Where,
        site: Site,
        access: Option<Access>,
    ) -> String {
        let process = site.process;
        if self.is_to_fail(30)
            && let Some(text) = self.failing(kind, site)
        {
            return text;
        }
        match kind {
            Kind::Assign => self.assign(process),
            Kind::AssignLocal => self.assign_local(process),
            Kind::AssignElement => self.assign_element(),
            Kind::AssignField => self.assign_field(process),
            Kind::AssignMtype => self.assign_mtype(process),
            Kind::AssignHidden => {
                self.world.need(Global::Hidden);
                match self.rng.below(3) {
                    0 => format!("h = (h + 1) % {}", self.world.values),
                    _ => format!("h = {}", self.reading(process)),
                }
            }
            Kind::Overflow => self.overflow(process),
            Kind::Modulo => self.modulo(process),
            Kind::Conditional => {
                let (a, b) = if self.rng.chance(50) { ("a", "b") } else { ("b", "a") };
                let value = self.value();
                format!("{a} = ({b} == {value} -> {} : {a})", self.value())
            }
            Kind::Increment => {
                self.world.need(Global::Unsigned);
                let value = self.rng.below(4);
                self.moment(process, format!("u == {value}"));
                self.rng.pick(&["u++", "u--"]).to_owned()
            }
            Kind::Guard => self.guard(),
            Kind::GuardLocal => {
                let x = self.local(process);
                let operator = self.rng.pick(&["==", "!=", "<="]);
                format!("{x} {operator} {}", self.value())
            }
            Kind::GuardRemote => self.guard_remote(process),
            Kind::GuardSystem => self.guard_system(process),
            Kind::GuardQueue | Kind::Poll => self.look(kind, at, site, access),
            Kind::Else => "else".to_owned(),
            Kind::Timeout => {
                self.feature(Feature::Timeout);
                "timeout".to_owned()
            }
            Kind::Skip => self.rng.pick(&["skip", "skip", "true"]).to_owned(),
            Kind::Printf => format!("printf(\"a = %d\\n\", {})", self.reading(process)),
            Kind::Assert => self.assertion(process),
            Kind::Goto => {
                let process = &mut self.processes[process];
                process.jumps_to_target = true;
                format!("goto {}", process.target)
            }
            Kind::Break => "break".to_owned(),
            Kind::Declare => {
                let number = self.fresh();
                match self.rng.below(3) {
                    0 => format!("byte d{number}"),
                    1 => format!("byte d{number} = {}", self.reading(process)),
                    _ => format!("bit d{number}[2]"),
                }
            }
            Kind::SetPriority => {
                self.uses_priority = true;
                self.feature(Feature::Priority);
                let priority = 1 + self.rng.below(3);
                match self.rng.below(2) {
                    0 => format!("_priority = {priority}"),
                    _ => format!("set_priority(_pid, {priority})"),
                }
            }
            Kind::Run => self.run(at, site),
            Kind::AssignRun => {
                let x = self.local(process);
                format!("{x} = {}", self.run(at, site))
            }
            Kind::Select => {
                let (variable, most) = (self.rng.pick(&["a", "b"]), self.world.values - 1);
                match self.rng.below(4) {
                    // A bound that is no constant takes several steps.
                    0 => "select (a : 0 .. b)".to_owned(),
                    _ => format!("select ({variable} : 0 .. {most})"),
                }
            }
            _ => self.communication(kind, at, site, access),
        }
    }

    /// A guard and a statement that does not wait behind it.
    pub fn assured(
        &mut self,
        kind: Kind,
        at: Where,
        site: Site,
        access: Option<Access>,
    ) -> (String, String) {
        if kind.is_communication() && kind != Kind::Poll {
            return self.assured_communication(kind, at, site, access);
        }
        let text = self.statement(kind, at, site, access);
        (text.clone(), text)
    }

    /// A local variable of a process; the parameter of one that is run.
    pub fn local(&mut self, process: usize) -> &'static str {
        if !self.processes[process].is_child {
            self.processes[process].locals.insert(("x", "byte x;"));
        }
        "x"
    }

    /// Something to read.
    pub fn reading(&mut self, process: usize) -> String {
        match self.rng.below(8) {
            0 => self.local(process).to_owned(),
            1 if self.world.has(Global::Array) => "t[1]".to_owned(),
            2 if self.world.has(Global::Record) => "r.x".to_owned(),
            3 if self.world.has(Global::Hidden) => "h".to_owned(),
            3..=5 => self.value().to_string(),
            _ => self.rng.pick(&["a", "b"]).to_owned(),
        }
    }

    fn assign(&mut self, process: usize) -> String {
        let variable = self.rng.pick(&["a", "b"]);
        let values = self.world.values;
        match self.rng.below(8) {
            0 | 1 => {
                let value = self.value();
                self.moment(process, format!("{variable} == {value}"));
                format!("{variable} = ({variable} + 1) % {values}")
            }
            2 => {
                self.moment(process, "a == b".to_owned());
                self.rng.pick(&["a = b", "b = a"]).to_owned()
            }
            3 => {
                let x = self.local(process);
                let value = self.value();
                self.moment(process, format!("{variable} == {value}"));
                format!("{variable} = {x}")
            }
            _ => {
                let value = self.value();
                self.moment(process, format!("{variable} == {value}"));
                format!("{variable} = {value}")
            }
        }
    }

    fn assign_local(&mut self, process: usize) -> String {
        let x = self.local(process);
        let value = self.value();
        if self.processes[process].is_immortal {
            let reference = self.named(process);
            self.moment(process, format!("{reference}:{x} == {value}"));
        }
        let values = self.world.values;
        match self.rng.below(8) {
            0 => format!("{x} = {}", self.rng.pick(&["a", "b"])),
            1 => {
                self.feature(Feature::Pid);
                format!("{x} = _pid % {values}")
            }
            2..=4 => format!("{x} = ({x} + 1) % {values}"),
            _ => format!("{x} = {value}"),
        }
    }

    /// How questions name a process. By the type of another one, its variables are read where that one
    /// has its own.
    pub fn named(&self, process: usize) -> String {
        let others = self.processes.iter().enumerate();
        let mut others = others.filter(|&(at, other)| at != process && other.is_immortal);
        match others.next().filter(|_| self.misnames) {
            Some((_, other)) => format!("{}[{}]", other.name, self.processes[process].pid),
            None => self.processes[process].reference(),
        }
    }

    fn assign_element(&mut self) -> String {
        self.world.need(Global::Array);
        let index = self.rng.pick(&["0", "1", "a % 2", "b % 2", "_pid % 2"]);
        match self.rng.below(6) {
            // Spin's way back is wrong for this one.
            0 if self.rng.chance(10) => "t[t[0] % 2] = 1".to_owned(),
            0 => format!("t[{index}] = (t[{index}] + 1) % 2"),
            1 => format!("t[{index}] = 1 - t[1]"),
            _ => format!("t[{index}] = {}", self.value()),
        }
    }

    fn assign_field(&mut self, process: usize) -> String {
        let value = self.value();
        let bit = self.rng.below(2);
        if self.lacks(Feature::StructArray) || self.rng.chance(50) {
            self.world.need(Global::Records);
            let index = self.rng.pick(&["0", "1", "a % 2"]);
            return match self.rng.below(3) {
                0 => format!("rs[{index}].y = {bit}"),
                1 => format!("rs[{index}].x = rs[1].y"),
                _ => {
                    self.moment(process, format!("rs[0].x == {value}"));
                    format!("rs[{index}].x = {value}")
                }
            };
        }
        self.world.need(Global::Record);
        if self.rng.chance(40) {
            self.moment(process, format!("r.y == {bit}"));
            return format!("r.y = {bit}");
        }
        self.moment(process, format!("r.x == {value}"));
        format!("r.x = {value}")
    }

    fn assign_mtype(&mut self, process: usize) -> String {
        if self.lacks(Feature::MtypeSet) || self.rng.chance(35) {
            self.world.need(Global::Color);
            let color = self.rng.pick(&["red", "blue"]);
            self.moment(process, format!("k == {color}"));
            return format!("k = {color}");
        }
        self.world.need(Global::Mtype);
        let name = self.rng.pick(&["m1", "m2"]);
        self.moment(process, format!("m == {name}"));
        format!("m = {name}")
    }

    /// Steps that wrap after four, so that there are few values.
    fn overflow(&mut self, process: usize) -> String {
        self.world.need(Global::Wrap);
        self.feature(Feature::Overflow);
        let value = 64 * self.rng.below(4);
        self.moment(process, format!("w == {value}"));
        self.rng.pick(&["w = w + 64", "w = w - 64", "w = w * 2 + 128", "w = w + 448"]).to_owned()
    }

    fn modulo(&mut self, process: usize) -> String {
        self.world.need(Global::Short);
        self.feature(Feature::NegativeModulo);
        let value = self.rng.below(3);
        self.moment(process, format!("s == -{value}"));
        self.rng.pick(&["s = (s - 1) % 3", "s = -(s * s) % 3", "s = (s + 65535) % 2"]).to_owned()
    }

    fn guard(&mut self) -> String {
        let variable = self.rng.pick(&["a", "b"]);
        let value = self.value();
        match self.rng.below(8) {
            0 => "a == b".to_owned(),
            1 => "a != b".to_owned(),
            2 if self.world.has(Global::Array) => format!("t[{variable} % 2] != {value}"),
            3 if self.world.has(Global::Mtype) => "m == m1".to_owned(),
            3 if self.world.has(Global::Wrap) => format!("w + {variable} < 255"),
            4 if self.world.has(Global::Short) => format!("s % 2 == -{}", value % 2),
            5 if self.world.has(Global::Hidden) => format!("h != {value}"),
            5 if self.world.has(Global::Record) => format!("r.x == {value} || {variable} == 0"),
            6 => format!("{variable} == {value} || a == b"),
            7 => format!("{variable} == {value}"),
            _ => format!("{variable} != {value}"),
        }
    }

    /// Only what stands before in the text can be named.
    fn guard_remote(&mut self, process: usize) -> String {
        let there: Vec<usize> =
            (0..process).filter(|&other| self.processes[other].is_immortal).collect();
        if there.is_empty() {
            return self.guard();
        }
        self.feature(Feature::Remote);
        let of = self.choose(&there);
        let reference = self.processes[of].reference();
        if self.rng.chance(50) {
            let target = &self.processes[of].target;
            let not = if self.rng.below(2) == 0 { "!" } else { "" };
            return format!("{not}{reference}@{target}");
        }
        format!("{reference}:x != {}", self.value())
    }

    fn guard_system(&mut self, process: usize) -> String {
        let pid = self.processes[process].pid;
        let which = match self.rng.below(6) {
            _ if self.lacks(Feature::Last) => 0,
            _ if self.lacks(Feature::Count) => 1,
            _ if self.lacks(Feature::Pid) => 3,
            which => which,
        };
        match which {
            0 => {
                self.feature(Feature::Last);
                format!("_last != {pid}")
            }
            1 | 2 => {
                self.feature(Feature::Count);
                self.rng.pick(&["_nr_pr > 1", "_nr_pr < 3", "_nr_pr != 2"]).to_owned()
            }
            _ => {
                self.feature(Feature::Pid);
                match self.rng.below(3) {
                    0 => format!("_pid == {pid}"),
                    1 => "_pid % 2 != a".to_owned(),
                    _ => "_pid >= b".to_owned(),
                }
            }
        }
    }

    /// Most of them hold.
    fn assertion(&mut self, process: usize) -> String {
        let values = self.world.values;
        let text = match self.rng.below(12) {
            0 => self.guard(),
            1 => {
                let x = self.local(process);
                format!("a != {} || {x} != {}", values - 1, values - 1)
            }
            2 if self.world.has(Global::Short) => "s <= 0 || s == 1".to_owned(),
            3 if self.world.has(Global::Wrap) => "w % 64 == 0".to_owned(),
            4..=6 => format!("b < {values}"),
            _ => format!("a < {values}"),
        };
        format!("assert({text})")
    }

    fn run(&mut self, at: Where, site: Site) -> String {
        self.runs = self.runs.saturating_sub(1);
        self.feature(Feature::RunArguments);
        self.feature(Feature::Dying);
        if matches!(at, Where::For | Where::Do) || site.repeats {
            self.feature(Feature::RunInLoop);
        }
        let passed = self.world.need_passed();
        let value = match self.rng.below(3) {
            0 => "_pid % 2".to_owned(),
            1 => "a".to_owned(),
            _ => self.value().to_string(),
        };
        debug_assert!(site.hold != Hold::DStep, "no run in a d_step");
        format!("run C({value}, {})", passed.name())
    }
}
