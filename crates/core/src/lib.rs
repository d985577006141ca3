//! The contracts between lariat's layers, and the small data that they speak of. Nothing here
//! searches or parses.
//!
//! ```text
//!  StateSpace ─┐
//!              ├─ product: Graph ─ Dfs ─ emptiness checks ─ Outcome (verdict, lasso, statistics)
//!  Automaton ──┘                    │
//!                                 Store
//! ```
//!
//! Read [`rows`], then [`graph`], then [`store`] and [`system`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod exchange;
pub mod graph;
pub mod headway;
pub mod lasso;
pub mod limit;
pub mod marks;
pub mod memory;
pub mod mistake;
pub mod outcome;
pub mod parents;
pub mod parts;
pub mod rows;
pub mod stop;
pub mod store;
pub mod switches;
pub mod system;

pub use exchange::{Broken, Event, Exchange};
pub use graph::{
    Automaton, Cursor, DONE, Edge, Graph, Guard, Props, RowOf, StateSpace, Successors,
};
pub use headway::Headway;
pub use lasso::{Acceptance, Lasso, LassoError, Run};
pub use limit::Limit;
pub use marks::Marks;
pub use mistake::makes_mistake;
pub use outcome::{Emptiness, Outcome, Peaks, Stats, conclude};
pub use parents::{Lookup, Parents};
pub use parts::{Factor, Narrowing, PartSteps, Parts};
pub use rows::{Arena, Batch, Fixed, Flat, FlatArena, Row, Word};
pub use stop::Poll;
pub use store::{
    BitTag, Intern, LiveStates, LiveStore, Lossless, Pending, Remembers, States, Status, Store,
    UnionStore,
};
pub use switches::{Audience, Switch, Switches};
pub use system::{Fields, Full, MAX_STATES, SystemId, SystemStore};
