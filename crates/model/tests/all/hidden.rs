//! Hidden variables: outside the state as in Spin, or part of it so that nothing is missed.

use lariat_model::promela;
use lariat_search::safety::{ExploreOptions, Order, explore};

/// The error needs `h == 1` in a state that is first seen with `h == 0`.
const MISSED_BY_SPIN: &str = "hidden byte h; byte a;
    active proctype P() {
        do :: h = 1 - h; a = 0 :: atomic { h == 1 -> a = 5; assert(false) } od
    }";

#[test]
fn an_error_behind_a_hidden_value_is_found() {
    let options = promela::PromelaOptions::default();
    let Ok(loaded) = promela::load_text("hidden.pml", MISSED_BY_SPIN, &options) else {
        panic!("no model");
    };
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let as_spin = ExploreOptions { order, ..Default::default() };
        let exact = ExploreOptions { hidden_is_state: true, ..as_spin.clone() };
        let errors = |options| explore(&loaded.model, options).unwrap().errors.len();
        assert_eq!(errors(&as_spin), 0, "{order:?}");
        let found = explore(&loaded.model, &exact).unwrap();
        assert!(found.errors.contains_key("assertion"), "{order:?}: {:?}", found.errors);
        let path = found.first_error.expect("its run");
        let steps = path.commands(&loaded.model).expect("its commands");
        assert_eq!(steps.len(), 3, "h = 1, a = 0, then the assertion");
    }
}
