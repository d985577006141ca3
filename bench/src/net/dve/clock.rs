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
            guard.extend(match self.rng.below(6) {
                0 => None,
                1 => Some(format!("{name} < {}", 1 + self.value())),
                2 => Some(format!("({name} != {} or a == 1)", self.value())),
                _ => Some(format!("{name} != {}", self.rng.below(VALUES))),
            });
            effect.push(match self.rng.below(8) {
                0 => format!("{name} = a"),
                1 => format!("{name} = {}", self.rng.below(VALUES)),
                2 => format!("{name} = ({name} + {}) % {VALUES}", self.pick_of(&names)),
                _ => format!("{name} = ({name} + {}) % {VALUES}", 1 + self.rng.below(2)),
            });
        }
        if self.rng.chance(20) {
            effect.push(format!("b = {}", self.value()));
        }
        let guard = match guard.is_empty() {
            true => "true".to_owned(),
            false => guard.join(" and "),
        };
        let timer = format!("s0 -> s0 {{ guard {guard}; effect {}; }}", effect.join(", "));
        let mut processes = vec![of_one_transition("K", &timer)];
        for (number, name) in names.iter().enumerate() {
            let (from, to) = (self.rng.below(VALUES), self.rng.below(VALUES));
            let watch = format!("s0 -> s0 {{ guard {name} == {from}; effect {name} = {to}; }}");
            processes.push(of_one_transition(&format!("W{number}"), &watch));
        }
        (declaration, processes)
    }

    fn pick_of(&mut self, names: &[String]) -> String {
        names[self.rng.below(names.len() as u64) as usize].clone()
    }
}

fn of_one_transition(name: &str, transition: &str) -> Tree {
    Tree::leaf(
        "process",
        format!("process {name} {{ byte x; state s0; init s0; trans {transition}; }}"),
    )
}
