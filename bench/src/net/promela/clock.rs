//! A process that counts several numbers at once, as a timer counts down clocks, and one for each number that looks at it, too: so
//! each has a field of its own in a packed state, and the timer's only command falls into factors.

use super::draft::Draft;
use crate::net::tree::Tree;

/// Numbers that are counted, and their values.
const CLOCKS: u64 = 3;
const VALUES: u64 = 3;

impl Draft {
    /// The declaration, and the processes.
    pub fn clocks(&mut self) -> (Tree, Vec<Tree>) {
        let names: Vec<String> =
            (0..2 + self.rng.below(CLOCKS - 1)).map(|k| format!("k{k}")).collect();
        let ty = self.choose(&["int", "int", "byte"]);
        let declaration = Tree::leaf("declaration", format!("{ty} {};", names.join(", ")));
        let mut guard = Vec::new();
        let mut effect = Vec::new();
        for name in &names {
            let other = names[self.rng.below(names.len() as u64) as usize].clone();
            guard.extend(match self.rng.below(6) {
                0 => None,
                1 => Some(format!("{name} < {}", 1 + self.rng.below(VALUES))),
                2 => Some(format!("({name} != {} || {other} == 1)", self.rng.below(VALUES))),
                _ => Some(format!("{name} != {}", self.rng.below(VALUES))),
            });
            effect.push(match self.rng.below(8) {
                0 => format!("mine = {name}"),
                1 => format!("{name} = {}", self.rng.below(VALUES)),
                2 => format!("{name} = ({name} + {other}) % {VALUES}"),
                3 => format!("{name} = ({name} + mine) % {VALUES}; mine = !mine"),
                _ => format!("{name} = ({name} + {}) % {VALUES}", 1 + self.rng.below(2)),
            });
        }
        let guard = match guard.is_empty() {
            true => String::new(),
            false => format!("{}; ", guard.join(" && ")),
        };
        let timer = format!("d_step {{ {guard}{} }}", effect.join("; "));
        let mut processes = vec![of_one_command("K", &timer)];
        for (number, name) in names.iter().enumerate() {
            let (from, to) = (self.rng.below(VALUES), self.rng.below(VALUES));
            let watch = format!("d_step {{ {name} == {from}; {name} = {to} }}");
            processes.push(of_one_command(&format!("W{number}"), &watch));
        }
        (declaration, processes)
    }
}

fn of_one_command(name: &str, command: &str) -> Tree {
    let text = format!("active proctype {name}() {{ byte mine; do :: {command} od }}");
    Tree::leaf("process", text)
}
