//! A long path and a long cycle: nothing overflows, and memory is linear in the states. Every
//! check on its plain store at full length, on the others at a tenth of it.
//!
//! The full length is a million. Ten million:
//! `LARIAT_DEEP=10000000 cargo test --release -p lariat-search --test all scc_deep`.

use crate::scc_variants::{Dead, variants};
use lariat_core::{Batch, Cursor, DONE, Emptiness, Fixed, Graph, Marks, Successors};
use lariat_search::dfs::SearchOptions;

fn full_length() -> u32 {
    let given = std::env::var("LARIAT_DEEP").ok();
    given.map_or(1_000_000, |text| text.parse().expect("LARIAT_DEEP is a number of states"))
}

/// 0 → 1 → 2 → …, generated on the fly.
#[derive(Clone)]
struct Line {
    len: u32,
    /// The last state has an edge to the first.
    closed: bool,
    /// Two marks lie on the line, or just one of them.
    accepting: bool,
}

impl Successors for Line {
    type Batch = Fixed<1>;

    fn batch(&self, room: usize) -> Fixed<1> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<1>) {
        out.push_copy(&[0]);
    }

    fn expand(&mut self, &[src]: &[u32; 1], at: &mut Cursor, out: &mut Fixed<1>) {
        *at = DONE;
        if src + 1 == self.len && !self.closed {
            return;
        }
        out.push_copy(&[(src + 1) % self.len]);
        let (early, late) = (src == self.len / 5, src == self.len / 5 * 4);
        let marks = match (early, late && self.accepting) {
            (true, _) => Marks::one(0),
            (_, true) => Marks::one(1),
            _ => Marks::NONE,
        };
        out.set_marks(out.len() - 1, marks);
    }
}

impl Graph for Line {
    fn accepting(&self, &[state]: &[u32; 1]) -> bool {
        self.accepting && state == self.len / 2
    }

    fn mark_count(&self) -> u32 {
        2
    }
}

fn deep(check: &str) {
    let all = variants::<Line>();
    let mut plain = 0;
    for variant in all.iter().filter(|variant| variant.check == check) {
        let is_plain = variant.dead == Dead::Joint;
        let len = if is_plain { full_length() } else { full_length() / 10 };
        plain += u32::from(is_plain);
        for (closed, accepting) in [(false, true), (true, false), (true, true)] {
            let mut line = Line { len, closed, accepting };
            let outcome = (variant.run)(&mut line, SearchOptions::default());
            let context = format!("{check} on {}, closed {closed}", variant.store);
            match outcome.verdict {
                Emptiness::Found(lasso) => {
                    assert!(closed && accepting, "{context}");
                    assert_eq!(lasso.cycle.len() + lasso.prefix.len(), len as usize);
                    lasso.verify(&mut line, variant.by).unwrap();
                }
                _ => assert!(!(closed && accepting), "{context}"),
            }
            assert_eq!(outcome.stats.states, u64::from(len), "{context}");
            assert_eq!(outcome.stats.depth, u64::from(len), "{context}");
            let bytes = outcome.stats.bytes / u64::from(len);
            assert!(bytes < 200, "{bytes} bytes a state: {context}");
        }
    }
    assert_eq!(plain, 1);
}

macro_rules! tests {
    ($($name:ident: $check:literal;)*) => {$(
        #[test]
        fn $name() {
            deep($check);
        }
    )*};
}

tests! {
    tarjan: "tarjan";
    gv: "gv";
    ascc_by_states: "ascc by states";
    ascc: "ascc";
    tarjan_tgba: "tarjan-tgba";
    dijkstra: "dijkstra";
    dijkstra_compressed: "dijkstra +cs";
    gabow: "gabow";
    gabow_compressed: "gabow +cs";
    c99_by_states: "c99 by states";
    c99: "c99";
}
