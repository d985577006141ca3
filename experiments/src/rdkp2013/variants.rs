//! The paper's ten checks, and the enumerations of components that they are made of.

use lariat_checks::Algorithm;
use lariat_core::{Outcome, Stats, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::enumerate;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba, gabow_tgba, tarjan_tgba};
use lariat_store::live::{Eager, ExactDead, InPlace, Lazy, UnionInPlace, UnionSplit};

use crate::lab::measure::OnTheFly;

type Rows = Vec<[Word; 2]>;

/// One of the paper's three algorithms, with its switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    pub algorithm: Algorithm,
    /// `+cs`: compressed roots.
    pub compressed: bool,
    pub dead: Dead,
}

/// Where dead states are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dead {
    /// `−ds`: among the live ones.
    InPlace,
    /// `+ds`: in a store of their own, at once.
    Eager,
    /// The same, when their slot is needed.
    Lazy,
}

const fn variant(algorithm: Algorithm, compressed: bool, dead: Dead) -> Variant {
    Variant { algorithm, compressed, dead }
}

/// The paper's ten, in the order of Table 1, with its peaks in words. Its +ds for Gabow is lazy.
pub const VARIANTS: [(Variant, f64); 10] = [
    (variant(Algorithm::Dijkstra, false, Dead::InPlace), 6_225_414_223.0),
    (variant(Algorithm::Dijkstra, true, Dead::InPlace), 6_225_411_039.0),
    (variant(Algorithm::Gabow, false, Dead::InPlace), 7_364_856_119.0),
    (variant(Algorithm::Gabow, true, Dead::InPlace), 7_364_854_033.0),
    (variant(Algorithm::TarjanTgba, false, Dead::InPlace), 6_325_991_684.0),
    (variant(Algorithm::Dijkstra, false, Dead::Eager), 5_160_440_344.0),
    (variant(Algorithm::Dijkstra, true, Dead::Eager), 5_160_435_523.0),
    (variant(Algorithm::Gabow, false, Dead::Lazy), 6_608_486_024.0),
    (variant(Algorithm::Gabow, true, Dead::Lazy), 6_608_482_885.0),
    (variant(Algorithm::TarjanTgba, false, Dead::Eager), 5_265_484_149.0),
];

/// Where the three are without dead store and compressed roots.
pub const DIJKSTRA: usize = 0;
pub const GABOW: usize = 2;
pub const TARJAN: usize = 4;

impl Variant {
    pub fn name(self) -> String {
        let cs = match (self.algorithm, self.compressed) {
            (Algorithm::TarjanTgba, _) => "",
            (_, true) => " +cs",
            (_, false) => " −cs",
        };
        let ds = if self.dead == Dead::InPlace { "−ds" } else { "+ds" };
        let name = match self.algorithm {
            Algorithm::TarjanTgba => "Tarjan",
            Algorithm::Gabow => "Gabow",
            _ => "Dijkstra",
        };
        format!("{name}{cs} {ds}")
    }

    fn roots(self) -> Roots {
        if self.compressed { Roots::Compressed } else { Roots::Plain }
    }

    /// The emptiness check.
    pub fn check(self, graph: &mut OnTheFly<'_, '_>) -> Outcome {
        let (o, dead) = (SearchOptions::default(), || ExactDead::new(Rows::new()));
        let rows = Rows::new;
        match (self.algorithm, self.dead) {
            (Algorithm::TarjanTgba, Dead::InPlace) => {
                tarjan_tgba::check(graph, &mut InPlace::new(rows()), o)
            }
            (Algorithm::TarjanTgba, Dead::Eager) => {
                tarjan_tgba::check(graph, &mut Eager::new(rows(), rows(), dead()), o)
            }
            (Algorithm::TarjanTgba, Dead::Lazy) => {
                tarjan_tgba::check(graph, &mut Lazy::new(rows(), rows(), dead()), o)
            }
            (Algorithm::Gabow, Dead::InPlace) => {
                gabow_tgba::check(graph, &mut UnionInPlace::new(rows()), o, self.roots())
            }
            (Algorithm::Gabow, _) => gabow_tgba::check(
                graph,
                &mut UnionSplit::new(rows(), rows(), dead()),
                o,
                self.roots(),
            ),
            (_, Dead::InPlace) => {
                dijkstra_tgba::check(graph, &mut InPlace::new(rows()), o, self.roots())
            }
            (_, Dead::Eager) => dijkstra_tgba::check(
                graph,
                &mut Eager::new(rows(), rows(), dead()),
                o,
                self.roots(),
            ),
            (_, Dead::Lazy) => {
                dijkstra_tgba::check(graph, &mut Lazy::new(rows(), rows(), dead()), o, self.roots())
            }
        }
    }

    /// The same without the boxes: only components.
    pub fn enumerate(self, graph: &mut OnTheFly<'_, '_>) -> Stats {
        let (o, dead) = (SearchOptions::default(), || ExactDead::new(Rows::new()));
        let rows = Rows::new;
        let found = match (self.algorithm, self.dead) {
            (Algorithm::TarjanTgba, Dead::InPlace) => {
                enumerate::tarjan::<_, _, ()>(graph, &mut InPlace::new(rows()), o, |_, _| {})
            }
            (Algorithm::TarjanTgba, _) => enumerate::tarjan::<_, _, ()>(
                graph,
                &mut Eager::new(rows(), rows(), dead()),
                o,
                |_, _| {},
            ),
            (Algorithm::Gabow, Dead::InPlace) => enumerate::gabow::<_, _, ()>(
                graph,
                &mut UnionInPlace::new(rows()),
                o,
                self.roots(),
                |_, _| {},
            ),
            (Algorithm::Gabow, _) => enumerate::gabow::<_, _, ()>(
                graph,
                &mut UnionSplit::new(rows(), rows(), dead()),
                o,
                self.roots(),
                |_, _| {},
            ),
            (_, Dead::InPlace) => enumerate::dijkstra::<_, _, ()>(
                graph,
                &mut InPlace::new(rows()),
                o,
                self.roots(),
                |_, _| {},
            ),
            (_, _) => enumerate::dijkstra::<_, _, ()>(
                graph,
                &mut Eager::new(rows(), rows(), dead()),
                o,
                self.roots(),
                |_, _| {},
            ),
        };
        found.stats
    }
}
