//! In which order states are looked at.

use crate::engine::FOR_TESTS;

/// States that are looked at depth first, before everything is breadth first.
const DEPTH_FIRST: u64 = 100_000;
/// The same of a product. The automaton shows the way there, so fewer are enough.
const DEPTH_FIRST_IN_PRODUCTS: u64 = 20_000;

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(id = "order")]
pub(super) struct Options {
    /// Search breadth first, which finds a shortest error. For temporal properties: up to the first
    /// state from which a run can be accepted
    #[arg(long)]
    bfs: bool,
    /// Search depth first to the end, as Spin does. By default, a search begins depth first; after
    /// 100,000 states (temporal properties: 20,000) it starts again breadth first, which is faster
    #[arg(long, conflicts_with = "bfs")]
    dfs: bool,
    /// Start again breadth first after N states
    #[arg(long, value_name = "N", conflicts_with_all = ["bfs", "dfs"],
          value_parser = clap::value_parser!(u64).range(1..),
          hide_short_help = true, help_heading = FOR_TESTS)]
    restart_after: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    DepthFirst,
    BreadthFirst,
    /// Depth first, what many paths lead to is found soon. If it is not among the first states,
    /// everything must be seen, and breadth first that is faster.
    Both {
        /// The number of first states, and of those of a product.
        first: u64,
        in_products: u64,
    },
}

impl Options {
    pub(super) fn order(self) -> Order {
        match (self.bfs, self.dfs) {
            (true, _) => Order::BreadthFirst,
            (_, true) => Order::DepthFirst,
            _ => Order::Both {
                first: self.restart_after.unwrap_or(DEPTH_FIRST),
                in_products: self.restart_after.unwrap_or(DEPTH_FIRST_IN_PRODUCTS),
            },
        }
    }
}
