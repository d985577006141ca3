use lariat::State;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Seen {
    by_name: HashMap<String, u32>,
}

fn main() {}
