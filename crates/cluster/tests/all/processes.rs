//! The contract among processes, over sockets.

use crate::spawn::{all, cluster};
use crate::toy::Graph;

/// Processes and workers in each.
const SHAPES: [(usize, usize); 6] = [(2, 1), (2, 2), (3, 1), (4, 1), (2, 3), (3, 2)];

#[test]
fn messages_come_once_unchanged_in_order_and_in_their_phase() {
    for (processes, workers) in SHAPES {
        let said = all(&cluster(processes, workers, "converse 5 100"));
        assert_eq!(said, vec!["well"; processes], "{processes} × {workers}");
    }
}

#[test]
fn levels_have_their_counts() {
    for ((processes, workers), (batch, delay)) in
        SHAPES.into_iter().zip([(64, 0), (1, 0), (7, 300)].into_iter().cycle())
    {
        let graph = Graph { counters: 4, most: 7, batch, delay };
        let said = all(&cluster(processes, workers, &format!("level 4 7 {batch} {delay}")));
        assert_eq!(
            said,
            vec![format!("{:?}", graph.levels()); processes],
            "{processes} × {workers}"
        );
    }
}

#[test]
fn a_free_search_sees_every_state() {
    for ((processes, workers), (batch, delay)) in
        SHAPES.into_iter().zip([(64, 0), (1, 0), (7, 300)].into_iter().cycle())
    {
        let said = all(&cluster(processes, workers, &format!("free 4 7 {batch} {delay}")));
        assert_eq!(said, vec![8_u64.pow(4).to_string(); processes], "{processes} × {workers}");
    }
}

#[test]
fn a_call_stops_all() {
    for (processes, workers) in SHAPES {
        let said = all(&cluster(processes, workers, "stopped 5 7 16 100"));
        let states: u64 = said[0].parse().unwrap();
        assert!(
            states < 8_u64.pow(5) && said.iter().all(|other| *other == said[0]),
            "{processes} × {workers}: {said:?}"
        );
    }
}

#[test]
fn many_phases_follow_each_other() {
    for (processes, workers) in SHAPES {
        let said = all(&cluster(processes, workers, "phases 500"));
        assert_eq!(said, vec!["all over"; processes], "{processes} × {workers}");
    }
}

#[test]
fn a_small_window_changes_nothing() {
    let mut tasks = cluster(2, 2, "free 4 7 16 0");
    tasks.iter_mut().for_each(|task| task.window = 2_000);
    assert_eq!(all(&tasks), vec!["4096"; 2]);
}

#[test]
fn who_comes_late_is_waited_for() {
    let tasks = cluster(3, 1, "free 3 7 16 0");
    let mut processes = Vec::new();
    for task in tasks.iter().rev() {
        processes.push(task.spawn());
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    for process in processes {
        assert_eq!(process.end().last(), "512");
    }
}
