//! Processes with a network of their own each, and a link between them that is cut or slow.

use crate::spawn::{Ended, Process, Task, all};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Two namespaces with a link between them; gone when dropped.
struct Pair {
    names: [String; 2],
}

fn ip(arguments: &str) {
    let done =
        Command::new("ip").args(arguments.split(' ')).output().expect("iproute2 is installed");
    assert!(done.status.success(), "ip {arguments}: {}", String::from_utf8_lossy(&done.stderr));
}

impl Pair {
    fn new() -> Pair {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = format!("{:x}.{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let names = ["a", "b"].map(|side| format!("lar{side}{id}"));
        names.iter().for_each(|name| ip(&format!("netns add {name}")));
        let pair = Pair { names };
        let [a, b] = &pair.names;
        ip(&format!("-n {a} link add link0 type veth peer name link0 netns {b}"));
        for (side, name) in pair.names.iter().enumerate() {
            ip(&format!("-n {name} addr add 10.77.0.{}/24 dev link0", side + 1));
            ip(&format!("-n {name} link set lo up"));
            ip(&format!("-n {name} link set link0 up"));
        }
        pair
    }

    fn tasks(&self, workers: usize, work: &str) -> Vec<Task> {
        let addresses = [1, 2].map(|side| format!("10.77.0.{side}:21100"));
        let task = |process: usize| {
            let namespace = Some(self.names[process].clone());
            Task { namespace, ..Task::new(&addresses, process, workers, work) }
        };
        vec![task(0), task(1)]
    }

    fn link(&self, state: &str) {
        ip(&format!("-n {} link set link0 {state}", self.names[0]));
    }

    /// So many megabits a second, in both directions.
    fn limit(&self, megabits: u32) {
        for name in &self.names {
            let rule = format!(
                "netns exec {name} tc qdisc add dev link0 root tbf rate {megabits}mbit burst 64kb latency 200ms"
            );
            ip(&rule);
        }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for name in &self.names {
            let _ = Command::new("ip").args(["netns", "del", name]).status();
        }
    }
}

/// Starts both, cuts the link after a second, and does what follows.
fn cut(pair: &Pair, tasks: &[Task], then: impl FnOnce()) -> (Vec<Ended>, Instant) {
    let processes: Vec<Process> = tasks.iter().map(Task::spawn).collect();
    std::thread::sleep(Duration::from_millis(1_000));
    let began = Instant::now();
    pair.link("down");
    then();
    (processes.into_iter().map(Process::end).collect(), began)
}

#[test]
#[ignore = "needs root and iproute2"]
fn a_link_that_is_cut_for_two_seconds_changes_nothing() {
    for workers in [1, 2] {
        let pair = Pair::new();
        let tasks = pair.tasks(workers, "free 5 7 4 20000");
        let (ended, began) = cut(&pair, &tasks, || {
            std::thread::sleep(Duration::from_secs(2));
            pair.link("up");
        });
        assert!(ended.iter().all(|ended| ended.last() == "32768"), "{ended:?}");
        assert!(
            ended[0].said.last().unwrap().0 > began + Duration::from_secs(2),
            "it was still going: {ended:?}"
        );
    }
}

#[test]
#[ignore = "needs root and iproute2"]
fn a_link_that_is_cut_for_ever_is_told_on_both_sides() {
    for workers in [1, 2] {
        let pair = Pair::new();
        let mut tasks = pair.tasks(workers, "for-ever");
        tasks.iter_mut().for_each(|task| task.silence = Duration::from_secs(3));
        let (ended, began) = cut(&pair, &tasks, || ());
        for (process, ended) in ended.iter().enumerate() {
            let name = format!("broken: process {} (10.77.0.{}:21100): ", 1 - process, 2 - process);
            assert!(ended.last().starts_with(&name), "{ended:?}");
            let after = ended.said.last().unwrap().0 - began;
            assert!(
                after > Duration::from_secs(2) && after < Duration::from_secs(8),
                "after {after:?}: {ended:?}"
            );
        }
        assert_eq!(ended[0].said[0].1, "going");
    }
}

#[test]
#[ignore = "needs root and iproute2"]
fn a_slow_link_is_slow_and_fills_no_memory() {
    let pair = Pair::new();
    pair.limit(20);
    let began = Instant::now();
    let said = all(&pair.tasks(1, "flood 8 0"));
    assert!(said.iter().all(|more| more.parse::<u64>().unwrap() < 24), "{said:?}");
    assert!(began.elapsed() > Duration::from_secs(2), "the link was slow");
    assert_eq!(all(&pair.tasks(2, "free 4 7 4 0")), ["4096", "4096"]);
    assert_eq!(all(&pair.tasks(2, "converse 3 50")), ["well", "well"]);
}
