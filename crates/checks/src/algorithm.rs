//! The emptiness checks by name: what each takes, and where it comes from.

/// An emptiness check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Chosen by the class of the automaton.
    #[default]
    Auto,
    Cvwy,
    Hpy,
    Gmz,
    Se,
    And,
    Sd,
    Reach,
    Tauriainen,
    Tarjan,
    Gv,
    C99,
    Ascc,
    TarjanTgba,
    Dijkstra,
    Gabow,
}

/// Where visited states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Store {
    /// Every state whole.
    #[default]
    Exact,
    /// A few bits for each state; finds errors, proves nothing.
    Bitstate,
    /// A fingerprint of each state; finds errors, proves nothing.
    HashCompact,
    /// Forgets closed states when full; may visit states again.
    Cache,
}

/// The automata that a check runs on as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// One set of accepting states; anything else is degeneralised first.
    Buchi,
    WeakBuchi,
    TerminalBuchi,
    /// Any number of marks on edges.
    Tgba,
}

/// A row of `lariat algorithms`.
pub struct Facts {
    pub source: &'static str,
    pub takes: Takes,
    /// What is kept for each state beside its row, by the source's own count.
    pub per_state: &'static str,
    pub stores: &'static [Store],
}

const EXACT: &[Store] = &[Store::Exact];
const BITS: &[Store] = &[Store::Exact, Store::Bitstate, Store::HashCompact];
const ALL: &[Store] = &Store::ALL;

impl Algorithm {
    /// `auto`, then all checks.
    pub const ALL: [Algorithm; 16] = {
        use Algorithm::*;
        [
            Auto, Cvwy, Hpy, Gmz, Se, And, Sd, Reach, Tauriainen, Tarjan, Gv, C99, Ascc,
            TarjanTgba, Dijkstra, Gabow,
        ]
    };

    /// All checks, without `auto`.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        Self::ALL.into_iter().filter(|&check| check != Algorithm::Auto)
    }

    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Cvwy => "cvwy",
            Algorithm::Hpy => "hpy",
            Algorithm::Gmz => "gmz",
            Algorithm::Se => "se",
            Algorithm::And => "and",
            Algorithm::Sd => "sd",
            Algorithm::Reach => "reach",
            Algorithm::Tauriainen => "tauriainen",
            Algorithm::Tarjan => "tarjan",
            Algorithm::Gv => "gv",
            Algorithm::C99 => "c99",
            Algorithm::Ascc => "ascc",
            Algorithm::TarjanTgba => "tarjan-tgba",
            Algorithm::Dijkstra => "dijkstra",
            Algorithm::Gabow => "gabow",
        }
    }

    /// The check, or `auto`, of this name.
    pub fn named(name: &str) -> Option<Algorithm> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// Whether closed states may be kept apart (±ds).
    pub fn has_dead_store(self) -> bool {
        use Algorithm::{Ascc, Dijkstra, Gabow, Gv, Tarjan, TarjanTgba};
        matches!(self, Tarjan | Gv | Ascc | TarjanTgba | Dijkstra | Gabow)
    }

    /// Whether they may be moved there only when their slot is needed: a slot of Gabow's union-find is
    /// never free.
    pub fn has_lazy_dead_store(self) -> bool {
        self.has_dead_store() && self != Algorithm::Gabow
    }

    /// Whether states are expanded a second time: by a second search, or to remove a component.
    pub fn expands_again(self) -> bool {
        use Algorithm::{And, C99, Cvwy, Gmz, Hpy, Se, Tauriainen};
        matches!(self, Cvwy | Hpy | Gmz | Se | And | Tauriainen | C99)
    }

    /// Whether there is a stack of roots that may be compressed (±cs).
    pub fn has_root_stack(self) -> bool {
        matches!(self, Algorithm::Dijkstra | Algorithm::Gabow)
    }

    pub fn facts(self) -> Facts {
        use Takes::{Buchi, TerminalBuchi, Tgba, WeakBuchi};
        let (source, takes, per_state, stores) = match self {
            Algorithm::Auto => ("by the automaton's class", Tgba, "as chosen", ALL),
            Algorithm::Cvwy => ("Courcoubetis et al. 1992; SE Fig. 1", Buchi, "2 bits", ALL),
            Algorithm::Hpy => ("Holzmann et al. 1996, Fig. 4", Buchi, "3 bits", ALL),
            Algorithm::Gmz => ("Gastin et al. 2004; SE §3.1", Buchi, "3 bits", ALL),
            Algorithm::Se => ("Schwoon, Esparza 2005, Fig. 3", Buchi, "2 bits", BITS),
            Algorithm::And => ("Gaiser, Schwoon 2009, Fig. 1", Buchi, "2 bits", BITS),
            Algorithm::Sd => ("SE §5.1; GS §3", WeakBuchi, "2 bits", ALL),
            Algorithm::Reach => ("SE §5.1", TerminalBuchi, "1 bit", ALL),
            Algorithm::Tauriainen => ("Tauriainen 2003; SE §5.2", Tgba, "marks", EXACT),
            Algorithm::Tarjan => ("SE §4, test at the root", Buchi, "2 ints + 1 bit", ALL),
            Algorithm::Gv => ("Geldenhuys, Valmari; SE Fig. 7", Buchi, "2 ints + 1 bit", ALL),
            Algorithm::C99 => ("Couvreur 1999; SE Fig. 5, §5.2", Tgba, "1 int + 1 bit", EXACT),
            Algorithm::Ascc => ("Gaiser, Schwoon 2009, Fig. 2", Tgba, "1 int + 1 bit", ALL),
            Algorithm::TarjanTgba => ("Renault et al. 2013, Alg. 2", Tgba, "1 int", ALL),
            Algorithm::Dijkstra => ("Renault et al. 2013, Alg. 3", Tgba, "1 int", ALL),
            Algorithm::Gabow => ("Renault et al. 2013, Alg. 4", Tgba, "2 ints", ALL),
        };
        Facts { source, takes, per_state, stores }
    }
}

impl Store {
    pub const ALL: [Store; 4] = [Store::Exact, Store::Bitstate, Store::HashCompact, Store::Cache];

    /// Whether a new state may be taken for one that was visited.
    pub fn is_lossy(self) -> bool {
        matches!(self, Store::Bitstate | Store::HashCompact)
    }

    /// The store of this name.
    pub fn named(name: &str) -> Option<Store> {
        Self::ALL.into_iter().find(|store| store.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Store::Exact => "exact",
            Store::Bitstate => "bitstate",
            Store::HashCompact => "hash-compact",
            Store::Cache => "cache",
        }
    }
}

impl Takes {
    pub fn name(self) -> &'static str {
        match self {
            Takes::Buchi => "Büchi",
            Takes::WeakBuchi => "weak Büchi",
            Takes::TerminalBuchi => "terminal Büchi",
            Takes::Tgba => "TGBA",
        }
    }
}
