//! In which order states are looked at.

use lariat_verify::Order;

use super::FOR_TESTS;

#[derive(clap::Args, Clone, Copy, Debug)]
#[group(id = "order")]
pub(crate) struct Args {
    /// Search breadth first, which finds a near error (with --no-por, a nearest one). For temporal
    /// properties: up to the first state from which a run can be accepted
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

impl Args {
    pub(crate) fn is_depth_first(self) -> bool {
        self.dfs
    }

    pub(crate) fn is_breadth_first(self) -> bool {
        self.bfs
    }

    pub(crate) fn order(self) -> Order {
        match (self.bfs, self.dfs, self.restart_after) {
            (true, ..) => Order::BreadthFirst,
            (_, true, _) => Order::DepthFirst,
            (.., Some(first)) => Order::Both { first, in_products: first },
            _ => Order::default(),
        }
    }
}
