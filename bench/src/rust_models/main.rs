//! Models in lariat and in Stateright, with the same types and the same code for what actors do. One of them for each
//! run of the program, so that time and memory are its own; `bench/rust-models` runs them in turn and measures.
//!
//! ```sh
//! cargo run --release -p lariat-bench --features rust-models --bin rust-models -- lariat 2pc 8
//! ```

mod actors;
mod commit;
// Its own command line is not used here.
#[allow(dead_code, reason = "part of another crate's tests")]
#[path = "../../../crates/lariat/tests/all/support/election.rs"]
mod election;
#[allow(dead_code, reason = "part of another crate's tests")]
#[path = "../../../crates/lariat/tests/all/support/peterson.rs"]
mod peterson;
#[allow(dead_code, unreachable_pub, reason = "an example of another crate")]
#[path = "../../../crates/lariat/examples/registers.rs"]
mod registers;

use lariat::{Model, Store};
use stateright::Checker;
use std::fmt::Debug;
use std::process::ExitCode;

/// Who checks.
#[derive(Clone, Copy)]
pub(crate) enum Tool {
    Lariat(Store),
    Bfs,
    Dfs,
}

/// States, and steps with initial states, as Stateright counts.
pub(crate) type Counts = (u64, u64);

pub(crate) fn counts<M: stateright::Model>(checker: &impl Checker<M>) -> Counts
where
    M::State: Debug + PartialEq + Clone,
    M::Action: Debug + PartialEq + Clone,
{
    checker.assert_properties();
    (checker.unique_state_count() as u64, checker.state_count() as u64)
}

/// A model of which there is one in Promela, too.
fn alone<M: Model>(model: &M, store: Store, name: &str, is_right: fn(&M::State) -> bool) -> Counts {
    let report = lariat::Check::of(model).always(name, is_right).store(store).run();
    report.assert_ok();
    (report.stats.states, report.stats.transitions + report.stats.initial)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let said = match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [tool, model, size] => size.parse().ok().and_then(|size| run(tool, model, size)),
        _ => None,
    };
    let Some((states, generated)) = said else {
        eprintln!(
            "usage: rust_models lariat|lariat-tree|lariat-flat|stateright-bfs|stateright-dfs 2pc|paxos|single|abd SIZE\n       \
             rust_models lariat peterson|election SIZE"
        );
        return ExitCode::from(2);
    };
    println!("states {states} generated {generated}");
    ExitCode::SUCCESS
}

fn run(tool: &str, model: &str, size: usize) -> Option<Counts> {
    let tool = match tool {
        "lariat" => Tool::Lariat(Store::Fitting),
        "lariat-tree" => Tool::Lariat(Store::Tree),
        "lariat-flat" => Tool::Lariat(Store::Flat),
        "stateright-bfs" => Tool::Bfs,
        "stateright-dfs" => Tool::Dfs,
        _ => return None,
    };
    Some(match (model, tool) {
        ("2pc", _) => commit::run(tool, size),
        ("paxos", _) => actors::run(tool, || registers::Paxos(3), 3, size, false),
        ("single", _) => actors::run(tool, || registers::Single, 1, size, false),
        ("abd", _) => actors::run(tool, || registers::Abd(3), 3, size, true),
        ("peterson", Tool::Lariat(store)) if size == 4 => {
            alone(&peterson::PetersonFour, store, "exclusion", |s| s.inside <= 1)
        }
        ("election", Tool::Lariat(store)) => {
            alone(&election::Election(size), store, "one leader", |s| s.leaders <= 1)
        }
        _ => return None,
    })
}
