use lariat::State;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
struct Words {
    #[state(every)]
    words: Vec<u8>,
}

fn main() {}
