//! Random Promela models: up to three processes over two counters, a flag, a queue and a
//! rendezvous channel.

use super::Rng;

/// Which labels the processes have, beside plain ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    Plain,
    Progress,
    Accept,
}

/// What formulas may name.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub has_queue: bool,
    pub has_rendezvous: bool,
    /// Process and label.
    pub labels: Vec<(String, String)>,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    labels: Labels,
    shape: Shape,
    text: String,
    indent: usize,
    process: String,
    next_label: usize,
    /// Statements left in this process.
    budget: u32,
    /// Nobody else may move in between: no labels that a formula names.
    inside: bool,
    may_run: bool,
}

/// A model, and what formulas may say about it.
pub fn model(rng: &mut Rng, labels: Labels) -> (String, Shape) {
    let shape =
        Shape { has_queue: rng.chance(40), has_rendezvous: rng.chance(35), ..Shape::default() };
    let processes = 1 + rng.below(3);
    let child = rng.chance(20);
    let mut writer = Writer {
        rng,
        labels,
        shape,
        text: String::new(),
        indent: 0,
        process: String::new(),
        next_label: 0,
        budget: 0,
        inside: false,
        may_run: false,
    };
    writer.globals();
    if child {
        writer.text += "proctype C()\n{\n";
        writer.body("C", 2);
        writer.text += "}\n";
    }
    for number in 0..processes {
        let name = ["P", "Q", "R"][number as usize];
        writer.may_run = child && number == 0;
        writer.text += &format!("active proctype {name}()\n{{\n");
        let statements = 2 + writer.rng.below(5) as u32;
        writer.body(name, statements);
        writer.text += "}\n";
    }
    (writer.text, writer.shape)
}

impl Writer<'_> {
    fn globals(&mut self) {
        self.text += "byte a, b, born;\nbool flag;\n";
        if self.shape.has_queue {
            let room = 1 + self.rng.below(2);
            self.text += &format!("chan q = [{room}] of {{ byte }};\n");
        }
        if self.shape.has_rendezvous {
            self.text += "chan r = [0] of { byte };\n";
        }
    }

    fn line(&mut self, text: &str) {
        self.text += &format!("{}{text}\n", "  ".repeat(self.indent));
    }

    /// The body of a process: something, then mostly a loop for ever.
    fn body(&mut self, process: &str, statements: u32) {
        self.process = process.to_owned();
        self.budget = statements;
        self.indent = 1;
        if self.rng.chance(40) {
            self.statement(1);
        }
        if self.rng.chance(80) {
            self.choice("do", "od", 2);
        } else {
            while self.budget > 0 {
                self.statement(2);
            }
        }
        self.indent = 0;
    }

    fn statement(&mut self, depth: u32) {
        self.budget = self.budget.saturating_sub(1);
        self.label();
        if depth > 0 && self.budget > 0 && self.rng.chance(25) {
            match self.rng.below(5) {
                0 | 1 => self.choice("if", "fi", depth - 1),
                2 => self.choice("do", "od", depth - 1),
                _ => self.sequence(depth - 1),
            }
            return;
        }
        let text = self.simple();
        self.line(&format!("{text};"));
    }

    /// Statements that are one step together.
    fn sequence(&mut self, depth: u32) {
        let was_inside = std::mem::replace(&mut self.inside, true);
        if self.rng.chance(30) {
            // Communication has no place here: a `d_step` must not block in the middle.
            let first = if self.rng.chance(50) { self.guard() } else { self.assignment() };
            let second = self.assignment();
            self.line(&format!("d_step {{ {first}; {second} }};"));
        } else {
            let first = self.simple();
            self.line("atomic {");
            self.indent += 1;
            self.line(&format!("{first};"));
            for _ in 0..=self.rng.below(2) {
                self.statement(depth);
            }
            self.indent -= 1;
            self.line("};");
        }
        self.inside = was_inside;
    }

    fn choice(&mut self, open: &str, close: &str, depth: u32) {
        self.line(open);
        let options = 1 + self.rng.below(3);
        for _ in 0..options {
            self.budget = self.budget.saturating_sub(1);
            let guard = self.simple();
            self.line(&format!(":: {guard} ->"));
            self.indent += 1;
            self.label();
            let text = self.assignment();
            self.line(&format!("{text};"));
            while self.budget > 0 && self.rng.chance(35) {
                self.statement(depth);
            }
            if open == "do" && self.rng.chance(12) {
                self.line("break");
            }
            self.indent -= 1;
        }
        match self.rng.below(8) {
            0 | 1 => {
                self.line(":: else ->");
                self.indent += 1;
                let text = self.assignment();
                let leaves = open == "do" && self.rng.chance(40);
                self.line(&if leaves { format!("{text}; break") } else { text });
                self.indent -= 1;
            }
            2 => self.line(":: timeout -> b = 0"),
            _ => {}
        }
        self.line(&format!("{close};"));
    }

    fn label(&mut self) {
        if !self.rng.chance(25) {
            return;
        }
        let number = self.next_label;
        self.next_label += 1;
        let name = match self.labels {
            Labels::Progress if self.rng.chance(70) => format!("progress_{number}"),
            Labels::Accept if self.rng.chance(60) => format!("accept_{number}"),
            _ => format!("l{number}"),
        };
        if !self.inside && self.process != "C" {
            self.shape.labels.push((self.process.clone(), name.clone()));
        }
        self.line(&format!("{name}:"));
    }

    /// A statement of one step.
    fn simple(&mut self) -> String {
        match self.rng.below(12) {
            0..=3 => self.assignment(),
            4..=6 => self.guard(),
            7 | 8 if self.shape.has_queue => match self.rng.below(2) {
                0 => format!("q!{}", self.rng.below(2)),
                _ => "q?a".to_owned(),
            },
            9 | 10 if self.shape.has_rendezvous => match self.rng.below(2) {
                0 => format!("r!{}", self.rng.below(2)),
                _ => "r?b".to_owned(),
            },
            // Few of them: every one has a life of its own. Not by `_nr_pr`, with which Spin's
            // verifier counts the claim, too.
            11 if self.may_run && self.rng.chance(50) => {
                "atomic { born < 2; born = born + 1; run C() }".to_owned()
            }
            _ => "skip".to_owned(),
        }
    }

    fn assignment(&mut self) -> String {
        let variable = self.rng.pick(&["a", "b"]);
        match self.rng.below(4) {
            0 => "flag = !flag".to_owned(),
            1 => format!("{variable} = ({variable} + 1) % 3"),
            2 => format!("{variable} = {}", self.rng.below(3)),
            _ => "a = (a + b) % 3".to_owned(),
        }
    }

    fn guard(&mut self) -> String {
        let variable = self.rng.pick(&["a", "b"]);
        match self.rng.below(4) {
            0 => "flag".to_owned(),
            1 => format!("{variable} != {}", self.rng.below(3)),
            _ => format!("{variable} == {}", self.rng.below(3)),
        }
    }
}
