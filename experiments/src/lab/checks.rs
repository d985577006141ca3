//! The six checks that Gaiser and Schwoon compare, in the order of their Fig. 3.

use lariat_checks::Algorithm;

pub const CHECKS: [(Algorithm, &str); 6] = [
    (Algorithm::Ascc, "ASCC"),
    (Algorithm::Gv, "GV"),
    (Algorithm::And, "AND"),
    (Algorithm::Se, "SE"),
    (Algorithm::Hpy, "HPY"),
    (Algorithm::C99, "C99"),
];
pub const ASCC: usize = 0;
pub const GV: usize = 1;
pub const AND: usize = 2;
pub const SE: usize = 3;
pub const HPY: usize = 4;
pub const C99: usize = 5;

/// The names of the checks, as the header of a table or the legend of a plot.
pub fn names() -> [&'static str; 6] {
    CHECKS.map(|(_, name)| name)
}

/// The checks from the least value to the most.
pub fn in_order(of: impl Fn(usize) -> f64) -> String {
    let mut order: Vec<usize> = (0..CHECKS.len()).collect();
    order.sort_by(|&a, &b| of(a).total_cmp(&of(b)));
    let mut text = CHECKS[order[0]].1.to_owned();
    for pair in order.windows(2) {
        let sign = if of(pair[0]) == of(pair[1]) { "=" } else { "<" };
        text += &format!(" {sign} {}", CHECKS[pair[1]].1);
    }
    text
}
