//! A slow worker does not fill anybody's memory.

use crate::spawn::{all, cluster};

/// Three processes, two of which send 48 MiB each to the third, which is slow: how many MiB more each needs.
fn flood(window: usize) -> Vec<u64> {
    let mut tasks = cluster(3, 1, "flood 48 20");
    tasks.iter_mut().for_each(|task| task.window = window);
    all(&tasks).iter().map(|last| last.parse().unwrap()).collect()
}

#[test]
fn what_waits_is_bounded_by_the_window() {
    let bounded = flood(1 << 20);
    assert!(bounded.iter().all(|&mebibytes| mebibytes < 24), "{bounded:?}");
    // Without a window it waits somewhere, so what is measured can be seen.
    let unbounded = flood(1 << 40);
    assert!(unbounded.iter().sum::<u64>() > 48, "{unbounded:?}");
}
