//! The contract within one process: the reference in `core`, and timely without sockets.

use crate::toy::{self, Graph};
use lariat_cluster::{Setting, run};
use lariat_core::exchange::local::{Local, local};
use lariat_core::{Broken, Event, Exchange};
use std::time::Duration;

/// The same work on both, each with so many workers.
fn both<T: Send + PartialEq + std::fmt::Debug>(
    workers: usize,
    work: impl Fn(&mut dyn Exchange) -> Result<T, Broken> + Sync,
) -> Vec<T> {
    let reference: Vec<T> = std::thread::scope(|scope| {
        let work = &work;
        let start = |mut end: Local| scope.spawn(move || work(&mut end).unwrap());
        let threads: Vec<_> = local(workers).into_iter().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let over_timely = run(&Setting::alone(workers), |exchange, _| work(exchange).unwrap()).unwrap();
    assert_eq!(reference, over_timely, "{workers} workers");
    over_timely
}

#[test]
fn messages_come_once_unchanged_in_order_and_in_their_phase() {
    for workers in 1..=4 {
        both(workers, |exchange| toy::converse(5, 100, exchange));
    }
}

#[test]
fn levels_have_their_counts() {
    for (workers, batch, delay) in [(1, 64, 0), (2, 1, 0), (3, 7, 200), (4, 64, 0)] {
        let graph = Graph { counters: 4, most: 7, batch, delay };
        let found = both(workers, |exchange| toy::by_level(graph, exchange));
        assert!(found.iter().all(|levels| *levels == graph.levels()), "{workers} workers");
    }
}

#[test]
fn a_free_search_sees_every_state() {
    for (workers, batch, delay) in [(1, 64, 0), (2, 1, 0), (3, 7, 200), (4, 64, 0)] {
        let graph = Graph { counters: 4, most: 7, batch, delay };
        let found = both(workers, |exchange| toy::free(graph, exchange));
        assert_eq!(found, vec![8_u64.pow(4); workers]);
    }
}

#[test]
fn a_call_stops_all() {
    let graph = Graph { counters: 5, most: 7, batch: 16, delay: 100 };
    for workers in 1..=4 {
        let found =
            run(&Setting::alone(workers), |exchange, _| toy::stopped(graph, exchange).unwrap())
                .unwrap();
        assert!(
            found[0] < 8_u64.pow(5) && found.iter().all(|states| *states == found[0]),
            "{found:?}"
        );
    }
}

#[test]
fn who_may_not_send_may_again_when_all_is_taken() {
    let setting = Setting { window: 10_000, ..Setting::alone(2) };
    run(&setting, |exchange, _| {
        if exchange.me() == 0 {
            (0..100).for_each(|_| exchange.send(1, vec![0; 1_000]));
            assert!(!exchange.may_send());
        }
        let mut taken = 0;
        loop {
            match exchange.rest().unwrap() {
                Event::Message { .. } => taken += 1,
                Event::Call { .. } => unreachable!("nobody calls"),
                Event::Over => break,
            }
        }
        assert_eq!(taken, if exchange.me() == 1 { 100 } else { 0 });
        // Acknowledgements of the last quarter may still be on their way.
        while !exchange.may_send() {
            exchange.poll().unwrap();
        }
    })
    .unwrap();
}

#[test]
fn who_ends_too_early_breaks_the_run() {
    let broken =
        run(
            &Setting::alone(3),
            |exchange, _| if exchange.me() == 1 { Ok(Event::Over) } else { exchange.rest() },
        );
    assert_eq!(broken.unwrap_err().to_string(), "worker 1 ended before the others");
}

#[test]
fn a_panic_of_one_worker_ends_all() {
    let broken = run(&Setting::alone(3), |exchange, _| {
        if exchange.me() == 2 {
            std::thread::sleep(Duration::from_millis(50));
            panic!("on purpose");
        }
        exchange.rest().unwrap_err()
    });
    assert_eq!(broken.unwrap_err().to_string(), "worker 2 panicked: on purpose");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let say = |setting: &Setting| run(setting, |_, _| ()).unwrap_err().to_string();
    let addresses = vec!["a:1".to_string(), "b:1".to_string()];
    assert_eq!(say(&Setting::alone(0)), "a process needs a worker");
    assert_eq!(
        say(&Setting { process: 1, ..Setting::alone(1) }),
        "there is no process 1: processes are 0 to 0"
    );
    assert_eq!(
        say(&Setting { addresses, ..Setting::alone(1) }),
        "processes on several machines need a secret"
    );
}
