//! Rows that come from anywhere: code writes nowhere but where it may, and on what is a state it
//! agrees with the interpreter.

use std::collections::BTreeSet;

use lariat_core::{Batch, Cursor, Successors};
use lariat_model::interp::row::Validator;
use lariat_model::interp::{Fairness, ModelSpace};
use lariat_model::ir::Model;
use lariat_model::{dve, promela};

use crate::native::Native;

const GUARD: usize = 512;
const PATTERN: u32 = 0xA5A5_5A5A;

/// The last process has a channel at the end of the row, in front of the next one.
const PROMELA: [&str; 7] = [
    "active proctype P() { chan q = [2] of { byte, short }; byte x;
       do :: q!x, 3 :: q?x, _ :: q??x, 3 :: q?[1, 3] -> x = 1 :: x < 2 -> x++ od }",
    "chan a = [1] of { byte }; chan b = [3] of { int, int };
     proctype C(chan c) { chan own = [4] of { int }; byte x;
       do :: own!x :: own??1 :: c!1 :: c!1, x :: len(c) > 1 -> break :: full(own) -> x++ od }
     init { byte y; atomic { run C(a); run C(b) }; a?y; b?y, _; run C(a) }",
    "chan m = [0] of { byte }; byte g;
     active [2] proctype S() { byte x; progress: do :: m!x :: m?x :: m?1 -> g = x od }
     active proctype R() { S[0]@progress -> g = S[1]:x;
       do :: m?g :: atomic { g = 1; m!g } :: timeout -> g = 0 od }",
    "byte t[3]; active proctype P() { byte x; do :: t[x] = 1; x = (x + 1) % 3
       :: d_step { x < 2; t[x + 1] = 6 / (t[x] + 1) } :: { x = 0 } unless { t[0] == 1 } od }",
    "hidden byte h; hidden int i; byte g;
     active [2] proctype P() { do :: h = g; i++ :: g = h & 1 :: atomic { h < 3 -> g = 2; h++ } od }",
    "byte g; chan m = [0] of { byte }; chan q = [1] of { byte };
     proctype L(byte x) provided (g < 2) { do :: m!x :: g = 1 :: set_priority(0, x + 1) od }
     init { run L(3) priority 3; run L(1) priority 2; byte y;
       do :: m?y :: q!y :: g++ :: g = get_priority(y) :: atomic { q?y; g = 0 } od }",
    "chan q = [2] of { byte, byte }; byte g;
     trace { do :: q!1,_; q?1,_ :: q!2,_; q?2,_ od }
     active proctype P() { byte x; do :: x < 3 -> x++ :: q!x,g :: q?x,g od }",
];

const DVE: &str = "byte a = 0; byte t[2]; channel {byte} q[2];
    process P { byte x = 0; state s, u; init s; commit u;
      trans s -> u { guard x < 2; sync q!x; effect x = x + 1; }, u -> s { effect t[x % 2] = 1; }; }
    process Q { byte x = 0; state s; init s; trans s -> s { sync q?x; effect a = t[x]; }; }
    system async;";

fn models() -> Vec<Model> {
    let load = |text: &&str| {
        let loaded = promela::load_text("it.pml", text, &promela::PromelaOptions::default());
        loaded.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).model
    };
    let promela = PROMELA.iter().map(load);
    let dve = dve::load_text("it.dve", DVE, dve::DveOptions { property: false });
    promela.chain([dve.expect("a model").model]).collect()
}

/// Memory with guards around it.
struct Guarded(Vec<u32>);

impl Guarded {
    fn new(words: usize) -> Guarded {
        Guarded(vec![PATTERN; words + 2 * GUARD])
    }

    fn words(&mut self) -> &mut [u32] {
        let end = self.0.len() - GUARD;
        &mut self.0[GUARD..end]
    }

    fn is_intact(&self) -> bool {
        let (front, rest) = self.0.split_at(GUARD);
        let back = &rest[rest.len() - GUARD..];
        front.iter().chain(back).all(|&word| word == PATTERN)
    }
}

/// Some reachable rows.
fn rows(model: &Model, width: usize) -> BTreeSet<Vec<u32>> {
    let mut space = ModelSpace::new(model, width, Vec::new());
    let mut out = space.batch(usize::MAX);
    space.initial(&mut out);
    let mut rows = BTreeSet::new();
    let mut queue: Vec<Vec<u32>> = (0..out.len()).map(|at| out.row(at).to_vec()).collect();
    while let Some(row) = queue.pop() {
        out.clear();
        space.expand(&row, &mut Cursor(0), &mut out);
        if rows.len() < 25 && rows.insert(row) {
            queue.extend((0..out.len()).map(|at| out.row(at).to_vec()));
        }
    }
    rows
}

#[test]
fn any_row_is_harmless() {
    let (mut native_steps, mut compared) = (0, 0);
    for (number, model) in models().into_iter().enumerate() {
        let fairness = (number % 2 == 1).then_some(Fairness::Weak);
        let width = ModelSpace::minimal_width(&model) + 16;
        let validator = Validator::new(&model).expect("an initial state");
        let rows = rows(&model, width);
        let first = rows.first().expect("an initial state").clone();
        let mut native = Native::compile(&model, width, &[], Some(&first), fairness)
            .unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut space = ModelSpace::new(&model, width, Vec::new());
        let mut expected = space.batch(usize::MAX);
        for row in &rows {
            for at in 0..4 * width {
                let old = row[at / 4].to_le_bytes()[at % 4];
                for byte in [0, 1, 2, 3, 4, 5, 127, 200, 255, old ^ 1, old ^ 128] {
                    let mut source = Guarded::new(width);
                    source.words().copy_from_slice(row);
                    let mut bytes = row[at / 4].to_le_bytes();
                    bytes[at % 4] = byte;
                    source.words()[at / 4] = u32::from_le_bytes(bytes);
                    let changed = source.words().to_vec();
                    for room in [1, 2, 64] {
                        let mut target = Guarded::new(room * width);
                        let found = native.expand(source.words(), target.words(), room);
                        let is_intact = target.is_intact() && source.is_intact();
                        assert!(is_intact, "{}: byte {at} = {byte} in {row:x?}", model.name);
                        assert_eq!(source.words(), changed, "the source is not written");
                        let Ok(found) = found else { continue };
                        native_steps += 1;
                        if validator.validate(&changed).is_err() {
                            continue;
                        }
                        expected.clear();
                        space.expand(&changed, &mut Cursor(0), &mut expected);
                        if space.wanted_width() > width {
                            space = ModelSpace::new(&model, width, Vec::new());
                            continue;
                        }
                        let found: Vec<&[u32]> =
                            target.words().chunks_exact(width).take(found.rows).collect();
                        let expected: Vec<&[u32]> =
                            (0..expected.len()).map(|at| expected.row(at)).collect();
                        assert_eq!(found, expected, "byte {at} = {byte} in {row:x?}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(native_steps > 10_000 && compared > 3_000, "{native_steps} {compared}");
}
