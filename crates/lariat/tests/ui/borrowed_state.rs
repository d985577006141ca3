use lariat::State;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Name<'a> {
    name: &'a str,
}

fn main() {}
