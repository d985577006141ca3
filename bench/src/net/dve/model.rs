//! DVE models: which transitions there are, and the text around them.

use std::collections::BTreeSet;

use super::cell::{Cell, Shape};
use super::draft::{Draft, Process, Transition};
use super::kind::{Effect, Feature, Guard, Sync};
use crate::net::tree::Tree;
use crate::random::Rng;

/// A path that a process must have: its transitions, and whether each state on it is committed.
#[derive(Clone, Debug)]
struct Path {
    shapes: Vec<Shape>,
    committed: Vec<bool>,
}

/// What is wanted of a model.
#[derive(Clone, Debug, Default)]
pub struct DvePlan {
    /// By process.
    paths: Vec<Vec<Path>>,
    features: Vec<Feature>,
}

impl DvePlan {
    pub fn new(processes: usize) -> DvePlan {
        DvePlan { paths: vec![Vec::new(); processes], features: Vec::new() }
    }

    /// Makes room for what a pair asks for.
    pub fn want(&mut self, rng: &mut Rng, cell: Cell) {
        let plain = |sync, effect| Shape { guard: Guard::None, sync, effect };
        let mut paths = Vec::new();
        match cell {
            Cell::Transition { shape, leaves, enters } => {
                paths.push(Path { shapes: vec![shape], committed: vec![leaves, enters] });
            }
            Cell::Next { sync, effect, next, then } => paths.push(Path {
                shapes: vec![plain(sync, effect), plain(next, then)],
                committed: vec![false, rng.chance(15), false],
            }),
            Cell::Meeting { send, effect, other, committed } => {
                let receive = send.partner().unwrap_or(Sync::None);
                for shape in [plain(send, effect), plain(receive, other)] {
                    let committed = vec![committed, committed && rng.chance(30)];
                    paths.push(Path { shapes: vec![shape], committed });
                }
            }
            Cell::Features(one, other) => self.features.extend([one, other]),
        }
        if paths.len() > self.paths.len() {
            self.paths.resize(paths.len(), Vec::new());
        }
        let (shift, many) = (rng.below(self.paths.len() as u64) as usize, self.paths.len());
        for (number, path) in paths.into_iter().enumerate() {
            self.paths[(number + shift) % many].push(path);
        }
    }
}

impl Draft {
    pub fn new(mut rng: Rng) -> Draft {
        Draft {
            values: if rng.chance(75) { 2 } else { 3 },
            room: if rng.chance(80) { 1 } else { 2 },
            rng,
            processes: Vec::new(),
            fails: false,
            lockstep: false,
            features: BTreeSet::new(),
            channels: BTreeSet::new(),
            moments: Vec::new(),
        }
    }

    /// The whole model, and the pairs that are in it.
    pub fn model(&mut self, plan: DvePlan) -> (Tree, Vec<Cell>) {
        let wants = |feature| plan.features.contains(&feature);
        let lockstep = wants(Feature::Lockstep) || plan.features.is_empty() && self.rng.chance(2);
        self.lockstep = lockstep;
        let wants_property = wants(Feature::Property) || wants(Feature::Accept);
        if wants(Feature::Room) {
            self.room = 2;
        }
        for (number, mut paths) in plan.paths.into_iter().enumerate() {
            if lockstep {
                paths.clear();
            }
            let process = self.sketch(number, paths, &plan.features, lockstep);
            self.processes.push(process);
        }
        if !lockstep {
            self.environment();
        }
        if self.processes.iter().any(|process| process.committed.contains(&true)) {
            self.features.insert(Feature::Commit);
        }
        let mut cells = self.cells();
        let mut processes = Vec::new();
        for number in 0..self.processes.len() {
            processes.push(self.process(number, &plan.features));
        }
        let clocks = (!lockstep && self.rng.chance(8)).then(|| self.clocks());
        let mut system = "system async;".to_owned();
        if let Some((_, timers)) = &clocks {
            processes.extend(timers.iter().cloned());
        }
        if lockstep {
            self.features.insert(Feature::Lockstep);
            system = "system sync;".to_owned();
        } else if wants_property || self.rng.chance(25) {
            self.features.insert(Feature::Property);
            processes.push(self.property());
            system = "system async property X;".to_owned();
        }
        if self.room == 2 && !self.channels.is_disjoint(&BTreeSet::from(["q", "p"])) {
            self.features.insert(Feature::Room);
        }
        let mut pieces = self.declarations(&plan.features);
        pieces.extend(clocks.map(|(declaration, _)| declaration));
        pieces.append(&mut processes);
        let close = Tree { droppable: false, ..Tree::leaf("system", system) };
        pieces.push(close);
        let features: Vec<Feature> = self.features.iter().copied().collect();
        for (index, &one) in features.iter().enumerate() {
            cells.extend(features[index + 1..].iter().map(|&other| Cell::Features(one, other)));
        }
        (Tree::block("model", "", pieces, ""), cells)
    }

    fn shape(&mut self, lockstep: bool) -> Shape {
        // In lock-step nobody moves if one cannot.
        let guard = self.draw(Guard::ALL, if lockstep { 90 } else { 40 }, Guard::None);
        let sync = if lockstep { Sync::None } else { self.draw(Sync::ALL, 60, Sync::None) };
        let effect = self.draw(Effect::ALL, 30, Effect::Constant);
        Shape { guard, sync, effect }
    }

    fn draw<T: Copy>(&mut self, all: &[T], percent: u64, mostly: T) -> T {
        if self.rng.chance(percent) { mostly } else { self.choose(all) }
    }

    /// A process: the paths that are wanted from its first state and back, and others.
    fn sketch(
        &mut self,
        number: usize,
        paths: Vec<Path>,
        features: &[Feature],
        lockstep: bool,
    ) -> Process {
        let mut process = Process { name: format!("P{number}"), ..Process::default() };
        process.state(false);
        let mut commits = features.contains(&Feature::Commit) && number == 0;
        let others = if paths.len() > 2 { 1 } else { 1 + self.rng.below(2) };
        for Path { shapes, committed } in paths {
            // A committed state is entered by a transition that does nothing.
            let mut at = 0;
            if committed[0] {
                at = process.state(true);
                let shape =
                    Shape { guard: Guard::None, sync: Sync::None, effect: Effect::Constant };
                process.transitions.push(Transition { from: 0, to: at, shape });
                // If it cannot go on, nobody can.
                if self.rng.chance(85) {
                    let shape = Shape { effect: Effect::None, ..shape };
                    process.transitions.push(Transition { from: at, to: 0, shape });
                }
            }
            for (index, shape) in shapes.iter().enumerate() {
                let is_last = index + 1 == shapes.len();
                let committed = committed[index + 1];
                let to = if is_last && !committed { 0 } else { process.state(committed) };
                process.transitions.push(Transition { from: at, to, shape: *shape });
                at = to;
            }
            if at != 0 {
                let shape = Shape { guard: Guard::None, sync: Sync::None, effect: Effect::None };
                process.transitions.push(Transition { from: at, to: 0, shape });
            }
        }
        for _ in 0..others {
            let committed = commits || !lockstep && self.rng.chance(10);
            commits = false;
            let middle = process.state(committed);
            let (there, mut back) = (self.shape(lockstep), self.shape(lockstep));
            if committed {
                // Who is committed should be able to go on.
                back = Shape { guard: Guard::None, sync: Sync::None, ..back };
            }
            process.transitions.push(Transition { from: 0, to: middle, shape: there });
            process.transitions.push(Transition { from: middle, to: 0, shape: back });
            if self.rng.chance(40) {
                let states = process.committed.len() as u64;
                let to = self.rng.below(states) as usize;
                let shape = self.shape(lockstep);
                process.transitions.push(Transition { from: middle, to, shape });
            }
        }
        process
    }

    /// A process that does the other side of what only one side is there for.
    fn environment(&mut self) {
        let syncs: BTreeSet<Sync> = self
            .processes
            .iter()
            .flat_map(|process| process.transitions.iter().map(|step| step.shape.sync))
            .collect();
        let mut process = Process { name: "E".to_owned(), ..Process::default() };
        process.state(false);
        for partner in syncs.iter().filter_map(|sync| sync.partner()) {
            if !syncs.contains(&partner) {
                let shape = Shape { guard: Guard::None, sync: partner, effect: Effect::None };
                process.transitions.push(Transition { from: 0, to: 0, shape });
            }
        }
        if self.rng.chance(50) {
            // Always able to move: there is no deadlock, unless somebody is committed.
            let shape = Shape { guard: Guard::None, sync: Sync::None, effect: Effect::None };
            process.transitions.push(Transition { from: 0, to: 0, shape });
        }
        if !process.transitions.is_empty() {
            self.processes.push(process);
        }
    }

    /// Which pairs there are.
    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (number, process) in self.processes.iter().enumerate() {
            for one in &process.transitions {
                let (leaves, enters) = (process.committed[one.from], process.committed[one.to]);
                cells.push(Cell::Transition { shape: one.shape, leaves, enters });
                for two in process.transitions.iter().filter(|two| two.from == one.to) {
                    cells.push(Cell::Next {
                        sync: one.shape.sync,
                        effect: one.shape.effect,
                        next: two.shape.sync,
                        then: two.shape.effect,
                    });
                }
                if !(one.shape.sync.meets() && one.shape.sync.sends()) {
                    continue;
                }
                for (partner, other) in self.processes.iter().enumerate() {
                    for two in other.transitions.iter().filter(|_| partner != number) {
                        let both = leaves == other.committed[two.from];
                        if one.shape.sync.partner() == Some(two.shape.sync) && both {
                            cells.push(Cell::Meeting {
                                send: one.shape.sync,
                                effect: one.shape.effect,
                                other: two.shape.effect,
                                committed: leaves,
                            });
                        }
                    }
                }
            }
        }
        cells
    }

    fn process(&mut self, number: usize, features: &[Feature]) -> Tree {
        let process = self.processes[number].clone();
        let states: Vec<String> =
            (0..process.committed.len()).map(|state| format!("s{state}")).collect();
        for state in 0..states.len() {
            self.moments.push((number, format!("{}.s{state}", process.name)));
        }
        let fixed = |text: String| Tree { droppable: false, ..Tree::leaf("head", text) };
        let mut pieces = vec![
            fixed("byte x = 0;".to_owned()),
            fixed(format!("state {};", states.join(", "))),
            fixed("init s0;".to_owned()),
        ];
        let committed: Vec<&str> = states
            .iter()
            .zip(&process.committed)
            .filter(|(_, committed)| **committed)
            .map(|(state, _)| state.as_str())
            .collect();
        if !committed.is_empty() {
            pieces.push(Tree::leaf("commit", format!("commit {};", committed.join(", "))));
        }
        if features.contains(&Feature::Accept) && number == 0 {
            self.features.insert(Feature::Accept);
            pieces.push(Tree::leaf("accept", "accept s0;"));
        }
        let wants_assert = features.contains(&Feature::Assert) && number == 0;
        if wants_assert || self.rng.chance(35) {
            self.features.insert(Feature::Assert);
            let state = self.rng.below(states.len() as u64) as usize;
            let text = match self.rng.below(8) {
                0 => format!("a != {}", self.value()),
                1 => "x < 2 or a == b".to_owned(),
                2..=4 => format!("b < {}", self.values),
                _ => format!("a < {}", self.values),
            };
            pieces.push(Tree::leaf("assert", format!("assert s{state}: {text};")));
        }
        // The first one is never taken: the others begin with a comma.
        let mut transitions = vec![Tree {
            droppable: false,
            ..Tree::leaf("transition", "s0 -> s0 { guard false; }")
        }];
        for transition in process.transitions {
            transitions.push(self.transition(number, transition));
        }
        pieces.push(Tree { droppable: false, ..Tree::block("trans", "trans", transitions, ";") });
        Tree::block("process", format!("process {} {{", process.name), pieces, "}")
    }

    /// A Büchi automaton that watches.
    fn property(&mut self) -> Tree {
        let states = 2 + self.rng.below(2);
        let names: Vec<String> = (0..states).map(|state| format!("s{state}")).collect();
        let accepting = self.rng.below(states);
        let mut transitions = vec![Tree {
            droppable: false,
            ..Tree::leaf("transition", "s0 -> s0 { guard false; }")
        }];
        for state in 0..states {
            for option in 0..2 {
                let to = if option == 0 { state } else { (state + 1) % states };
                let guard = match self.rng.below(3) {
                    0 if option == 0 => "true".to_owned(),
                    1 => format!("not ({})", self.proposition()),
                    _ => self.proposition(),
                };
                let text = format!(", s{state} -> s{to} {{ guard {guard}; }}");
                transitions.push(Tree::leaf("transition", text));
            }
        }
        let pieces = vec![
            Tree { droppable: false, ..Tree::leaf("head", format!("state {};", names.join(", "))) },
            Tree { droppable: false, ..Tree::leaf("head", "init s0;") },
            Tree { droppable: false, ..Tree::leaf("head", format!("accept s{accepting};")) },
            Tree { droppable: false, ..Tree::block("trans", "trans", transitions, ";") },
        ];
        Tree { droppable: false, ..Tree::block("process", "process X {", pieces, "}") }
    }

    fn declarations(&mut self, features: &[Feature]) -> Vec<Tree> {
        let mut texts = vec!["byte a = 0, b = 0;".to_owned()];
        if features.contains(&Feature::Constant) || self.rng.chance(15) {
            self.features.insert(Feature::Constant);
            texts.insert(0, "const byte K = 1;".to_owned());
            texts[1] = "byte a = K - 1, b = K;".to_owned();
        }
        if features.contains(&Feature::Array) || self.features.contains(&Feature::Array) {
            self.features.insert(Feature::Array);
            texts.push("byte t[2] = {0, 1}, v[2];".to_owned());
        }
        if features.contains(&Feature::Int) || self.features.contains(&Feature::Int) {
            self.features.insert(Feature::Int);
            texts.push("int n = -1, m = 0;".to_owned());
        }
        for &name in &self.channels {
            let room = self.room;
            texts.push(match name {
                "e" => "channel {byte} e[0];".to_owned(),
                "q" => format!("channel {{byte}} q[{room}];"),
                "p" => format!("channel {{byte, byte}} p[{room}];"),
                _ => format!("channel {name};"),
            });
        }
        texts.into_iter().map(|text| Tree::leaf("declaration", text)).collect()
    }

    /// Something that is true behind a transition.
    pub fn proposition(&mut self) -> String {
        if self.moments.is_empty() {
            return "a == b".to_owned();
        }
        let at = self.rng.below(self.moments.len() as u64) as usize;
        self.moments[at].1.clone()
    }
}
