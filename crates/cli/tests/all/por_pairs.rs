//! Random pairs of a program and a property, with and without partial-order reduction. The command
//! `por-pairs` looks at more of them.

use lariat_bench::pairs;

#[test]
fn reduction_keeps_every_answer() {
    let tally = pairs::run(150, 7, |_| {});
    println!("{tally}");
    assert!(tally.wrong.is_empty(), "seed 7: {}", tally.wrong.join("\n"));
    assert!(tally.twisted > 20 && tally.violated > 20);
    assert!(tally.states[1] < tally.states[0], "nothing was left out");
}
