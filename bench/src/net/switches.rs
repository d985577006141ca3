//! Every switch of lariat that must not change an answer. To register a new one, add a line to
//! [`SWITCHES`].

use super::ask::Scope;
use super::config::Config;

/// One of its settings is chosen for each run of lariat.
pub struct Switch {
    pub name: &'static str,
    /// The questions that it has to do with.
    pub scopes: &'static [Scope],
    /// The first one is the plainest.
    pub settings: &'static [Setting],
    /// Whether it goes with the other settings. Where it does not, its arguments are left out.
    pub fits: fn(&Config, Scope) -> bool,
}

/// A way in which a switch can stand.
pub struct Setting {
    /// How often it is chosen, beside the others.
    pub weight: u64,
    pub args: &'static [&'static str],
}

const fn set(weight: u64, args: &'static [&'static str]) -> Setting {
    Setting { weight, args }
}

use Scope::{Conditions, Count, Safety, StrongFair, Temporal, WeakFair};

const ALL: &[Scope] = &[Count, Safety, Conditions, Temporal, WeakFair, StrongFair];
const EXPLORED: &[Scope] = &[Count, Safety, Conditions];
const CHECKED: &[Scope] = &[Safety, Conditions, Temporal, WeakFair, StrongFair];
const WITH_CHECK: &[Scope] = &[Temporal, WeakFair];
const OF_PRODUCTS: &[Scope] = &[Temporal, WeakFair, StrongFair];

fn always(_: &Config, _: Scope) -> bool {
    true
}

/// The registry. Names are what [`Config::is`] asks for.
pub static SWITCHES: &[Switch] = &[
    Switch {
        name: "shortcuts",
        scopes: CHECKED,
        settings: &[
            set(1, &["--shortcuts", "none"]),
            set(2, &[]),
            set(1, &["--shortcuts", "fold"]),
            set(1, &["--shortcuts", "dead"]),
            set(1, &["--shortcuts", "merge"]),
            set(1, &["--shortcuts", "slice"]),
            set(1, &["--shortcuts", "slice,dead,merge"]),
            set(1, &["--shortcuts", "fold,slice,merge"]),
            set(1, &["--shortcuts", "fold,slice,dead"]),
            set(2, &["--shortcuts", "all"]),
        ],
        fits: always,
    },
    Switch {
        name: "steps",
        scopes: ALL,
        settings: &[
            set(4, &["--interpret"]),
            set(1, &[]),
            set(3, &["--native-after", "1"]),
            set(1, &["--native-after", "1", "--special-after", "1"]),
            set(1, &["--native-after", "15", "--special-after", "20"]),
        ],
        fits: always,
    },
    Switch {
        name: "system-store",
        scopes: ALL,
        settings: &[
            set(2, &["--system-store", "flat"]),
            set(1, &[]),
            set(2, &["--plan-after", "4"]),
            set(2, &["--plan-after", "25"]),
            set(1, &["--plan-after", "150"]),
            set(1, &["--no-plan"]),
        ],
        fits: always,
    },
    Switch {
        name: "remembered-steps",
        scopes: ALL,
        settings: &[set(1, &["--no-remembered-steps"]), set(3, &[])],
        fits: always,
    },
    Switch {
        name: "remembered-propositions",
        scopes: OF_PRODUCTS,
        settings: &[set(1, &["--no-remembered-propositions"]), set(2, &[])],
        fits: always,
    },
    Switch {
        name: "por",
        scopes: CHECKED,
        settings: &[set(1, &["--no-por"]), set(3, &[]), set(1, &["--por-after", "20"])],
        fits: always,
    },
    Switch {
        name: "por-proviso",
        scopes: &[Temporal],
        settings: &[
            set(24, &[]),
            set(1, &["--por-proviso", "stack"]),
            set(1, &["--por-proviso", "selection-number"]),
            set(1, &["--por-proviso", "selection-bit"]),
            set(1, &["--por-proviso", "discard"]),
        ],
        // Each has a check of its own, which goes depth first.
        fits: |config, _| {
            let plain = ["check", "dead-states", "roots", "store", "shortest", "non-progress"];
            plain.iter().all(|name| config.is(name, &[]))
                && !config.is("order", &["--bfs"])
                && !config.is("por", &["--no-por"])
        },
    },
    Switch {
        name: "order",
        scopes: &[Safety, Conditions, Temporal, WeakFair],
        settings: &[
            set(1, &["--dfs"]),
            set(1, &[]),
            set(2, &["--bfs"]),
            set(1, &["--restart-after", "3"]),
            set(1, &["--restart-after", "40"]),
        ],
        // A check that was asked for goes depth first.
        fits: |config, scope| {
            let has_check = OF_CHECKS.iter().any(|name| !config.is(name, &[]));
            let is_cache = config.args_of("store").first() == Some(&"--cache");
            let is_bfs = config.is("order", &["--bfs"]);
            match scope {
                Safety | Conditions => !is_bfs || !is_cache,
                _ => !is_bfs || !has_check,
            }
        },
    },
    Switch {
        name: "order-of-count",
        scopes: &[Count],
        settings: &[set(1, &["--dfs"]), set(1, &[]), set(1, &["--bfs"])],
        fits: always,
    },
    Switch {
        name: "narrow-ids",
        scopes: EXPLORED,
        settings: &[set(2, &[]), set(1, &["--narrow-ids", "10"])],
        // Others end inconclusive where narrow ids do.
        fits: |config, scope| match scope {
            Count => config.is("order-of-count", &["--bfs"]),
            _ => config.is("order", &["--bfs"]),
        },
    },
    Switch {
        name: "numbers",
        scopes: ALL,
        settings: &[
            set(1, &["--numbered"]),
            set(1, &[]),
            set(2, &["--set-after", "5"]),
            set(2, &["--set-after", "40"]),
            set(1, &["--set-after", "5", "--root-bits", "9"]),
            set(1, &["--set-after", "40", "--root-bits", "14"]),
        ],
        fits: always,
    },
    Switch {
        name: "threads",
        scopes: ALL,
        settings: &[
            set(2, &["--threads", "1"]),
            set(1, &[]),
            set(2, &["--threads", "2"]),
            set(1, &["--threads", "3"]),
        ],
        fits: always,
    },
    Switch {
        name: "processes",
        scopes: &[Count, Safety, Conditions, Temporal, WeakFair],
        // A process takes longer to start than most models take.
        settings: &[
            set(16, &[]),
            set(1, &["--processes", "1"]),
            set(1, &["--processes", "2"]),
            set(1, &["--processes", "2", "--free"]),
            set(1, &["--processes", "2", "--narrow-levels", "3"]),
            set(1, &["--processes", "3"]),
            set(1, &["--processes", "2", RESUMED]),
        ],
        // They are refused beside the others.
        fits: |config, scope| {
            let plain = OF_CHECKS.iter().all(|name| config.is(name, &[]));
            let alone = ["non-progress", "por-proviso", "store", "shortest"];
            let is_dfs = match scope {
                Count => config.is("order-of-count", &["--dfs"]),
                _ => config.is("order", &["--dfs"]),
            };
            let has_numbers = config.is("numbers", &["--numbered"])
                || config.args_of("system-store").contains(&"flat")
                || config.args_of("numbers").contains(&"--root-bits");
            let is_asked_early = config.args_of("por").contains(&"--por-after");
            plain
                && alone.iter().all(|name| config.is(name, &[]))
                && !is_dfs
                && !has_numbers
                && (scope == Count || !is_asked_early)
        },
    },
    Switch {
        name: "map",
        scopes: WITH_CHECK,
        settings: &[set(2, &[]), set(1, &["--no-map"])],
        fits: |config, _| config.args_of("processes").contains(&"--processes"),
    },
    Switch {
        name: "edge-cache",
        scopes: OF_PRODUCTS,
        settings: &[
            set(1, &["--edge-cache", "0"]),
            set(2, &[]),
            set(1, &["--edge-cache", "600"]),
            set(1, &["--edge-cache", "1M"]),
        ],
        fits: always,
    },
    Switch {
        name: "check",
        scopes: WITH_CHECK,
        settings: &[
            set(15, &[]),
            set(1, &["--algorithm", "cvwy"]),
            set(1, &["--algorithm", "hpy"]),
            set(1, &["--algorithm", "gmz"]),
            set(1, &["--algorithm", "se"]),
            set(1, &["--algorithm", "and"]),
            set(1, &["--algorithm", "sd"]),
            set(1, &["--algorithm", "reach"]),
            set(1, &["--algorithm", "tauriainen"]),
            set(1, &["--algorithm", "tarjan"]),
            set(1, &["--algorithm", "gv"]),
            set(1, &["--algorithm", "c99"]),
            set(1, &["--algorithm", "ascc"]),
            set(1, &["--algorithm", "tarjan-tgba"]),
            set(1, &["--algorithm", "dijkstra"]),
            set(1, &["--algorithm", "gabow"]),
        ],
        // Fairness is many marks.
        fits: |config, scope| scope != WeakFair || config.has_check(TAKE_MARKS),
    },
    Switch {
        name: "search-of-threads",
        scopes: WITH_CHECK,
        settings: &[
            set(3, &[]),
            set(2, &["--elimination"]),
            set(2, &["--cndfs"]),
            set(2, &["--ufscc"]),
        ],
        fits: |config, _| {
            let has_numbers = config.is("numbers", &["--numbered"])
                || config.args_of("system-store").contains(&"flat")
                || config.is("order", &["--dfs"]);
            let plain = OF_CHECKS.iter().all(|name| config.is(name, &[]));
            let alone = ["non-progress", "por-proviso"].iter().all(|name| config.is(name, &[]));
            plain && alone && !has_numbers
        },
    },
    Switch {
        name: "dead-states",
        scopes: WITH_CHECK,
        settings: &[set(3, &[]), set(1, &["--dead-store"]), set(1, &["--lazy-dead"])],
        fits: |config, scope| {
            let is_refused = config.is("dead-states", &["--dead-store"])
                && !config.is("store", &[])
                || config.is("dead-states", &["--lazy-dead"]) && config.has_check(&["gabow"]);
            config.has_check(HAVE_DEAD_STORE) && fits_fair(config, scope) && !is_refused
        },
    },
    Switch {
        name: "roots",
        scopes: WITH_CHECK,
        settings: &[set(1, &[]), set(1, &["--plain-roots"])],
        fits: |config, _| config.has_check(&["dijkstra", "gabow"]),
    },
    Switch {
        name: "state-acceptance",
        scopes: &[Temporal],
        settings: &[set(3, &[]), set(1, &["--state-acceptance"])],
        fits: |config, _| !config.is("check", &[]),
    },
    Switch {
        name: "store",
        scopes: &[Safety, Conditions, Temporal, WeakFair],
        settings: &[
            set(36, &[]),
            set(1, &["--bitstate", "10", "-k", "1"]),
            set(1, &["--bitstate", "24", "--repeat", "2"]),
            set(1, &["--bitstate", "8"]),
            set(1, &["--hash-compact"]),
            // Twenty states, a hundred, some hundred, and all.
            set(1, &["--cache", "200"]),
            set(2, &["--cache", "1k"]),
            set(2, &["--cache", "4k"]),
            set(1, &["--cache", "1M"]),
        ],
        fits: |config, scope| {
            let is_cache = config.args_of("store").first() == Some(&"--cache");
            let is_about_states = matches!(scope, Safety | Conditions);
            let checks = if is_cache { TAKE_CACHE } else { TAKE_BITS };
            let is_auto = config.is("check", &[]);
            let has_check = is_about_states || is_auto || config.has_check(checks);
            let is_alone =
                config.is("system-store", &[]) || !config.args_of("system-store").contains(&"flat");
            let is_bfs = config.is("order", &["--bfs"]);
            // Beside conditions, accept labels are looked at.
            let may_bfs = scope == Safety && !is_cache;
            has_check
                && is_alone
                && (!is_bfs || may_bfs)
                && (is_about_states || config.is("shortest", &[]))
                && (is_about_states || config.is("edge-cache", &[]))
                && (is_about_states || is_auto || fits_fair(config, scope))
        },
    },
    Switch {
        name: "shortest",
        scopes: WITH_CHECK,
        settings: &[set(3, &[]), set(1, &["--shortest"])],
        fits: always,
    },
    Switch {
        name: "words",
        scopes: &[Temporal],
        // `--ltl f` is `--exists !f` the other way round.
        settings: &[set(2, &[]), set(1, &[OTHER_WORDS])],
        fits: always,
    },
    Switch {
        name: "non-progress",
        scopes: &[Temporal],
        settings: &[set(1, &[]), set(1, &[DIRECT])],
        // It has a search of its own.
        fits: |config, _| {
            let plain = ["check", "dead-states", "roots", "store", "shortest"];
            plain.iter().all(|name| config.is(name, &[])) && !config.is("order", &["--bfs"])
        },
    },
];

/// Settings that say how a question is put, and are no arguments of lariat.
pub const OTHER_WORDS: &str = "other words";
pub const DIRECT: &str = "non-progress directly";
/// The search is cut, saved, and gone on with by one process more.
pub const RESUMED: &str = "resumed";

/// Switches that ask for a certain check.
const OF_CHECKS: &[&str] = &["check", "dead-states", "roots", "store", "state-acceptance"];
const HAVE_DEAD_STORE: &[&str] = &["tarjan", "gv", "ascc", "tarjan-tgba", "dijkstra", "gabow"];
const TAKE_MARKS: &[&str] = &["tauriainen", "c99", "ascc", "tarjan-tgba", "dijkstra", "gabow"];
const TAKE_BITS: &[&str] = &[
    "cvwy",
    "hpy",
    "gmz",
    "se",
    "and",
    "sd",
    "reach",
    "tarjan",
    "gv",
    "ascc",
    "tarjan-tgba",
    "dijkstra",
    "gabow",
];
const TAKE_CACHE: &[&str] = &[
    "cvwy",
    "hpy",
    "gmz",
    "sd",
    "reach",
    "tarjan",
    "gv",
    "ascc",
    "tarjan-tgba",
    "dijkstra",
    "gabow",
];

/// The checks that take marks, if there are any.
fn fits_fair(config: &Config, scope: Scope) -> bool {
    scope != WeakFair || config.has_check(TAKE_MARKS)
}
