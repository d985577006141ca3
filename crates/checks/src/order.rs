//! In which order states are looked at.

/// In which order states are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As Spin does.
    DepthFirst,
    /// The nearest first.
    BreadthFirst,
    /// Depth first, what many paths lead to is found soon. If it is not among the first states,
    /// everything must be seen, and breadth first that is faster.
    Both {
        /// The number of first states.
        first: u64,
        /// The same of a product.
        in_products: u64,
    },
}

impl Default for Order {
    /// In a product, the automaton shows the way, so fewer states are enough there.
    fn default() -> Order {
        Order::Both { first: 100_000, in_products: 20_000 }
    }
}
