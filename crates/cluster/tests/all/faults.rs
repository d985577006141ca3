//! What happens when something breaks: everybody hears of it, and nobody has a result.
//!
//! Times are only compared with limits that are part of the promise, with much room.

use crate::spawn::{Ended, Process, Task, all, cluster};
use std::time::{Duration, Instant};

/// For a machine that has other things to do.
const ROOM: Duration = Duration::from_secs(10);

/// Starts all, waits until messages go round, does something, and gives how each ended and how long that took.
fn break_one(tasks: &[Task], what: impl FnOnce(&mut Vec<Process>)) -> (Vec<Ended>, Duration) {
    let mut processes: Vec<Process> = tasks.iter().map(Task::spawn).collect();
    // Long enough for all to meet; whether they have is seen in what they say.
    std::thread::sleep(Duration::from_millis(1_000));
    let began = Instant::now();
    what(&mut processes);
    let ended: Vec<Ended> = processes.into_iter().map(Process::end).collect();
    (ended, began.elapsed())
}

/// All but process 1 have noticed, and say `why` of it.
fn blame(tasks: &[Task], ended: &[Ended], why: &str) {
    let name = format!("process 1 ({})", tasks[1].addresses[1]);
    for (process, ended) in ended.iter().enumerate().filter(|(process, _)| *process != 1) {
        let last = ended.last();
        assert!(
            last.starts_with("broken: ") && last.contains(&name) && last.contains(why),
            "process {process}: {ended:?}"
        );
        assert_eq!(ended.status.code(), Some(3), "process {process}: {ended:?}");
    }
    assert!(
        ended[0].said.iter().any(|(_, line)| line == "going"),
        "it was not broken before: {ended:?}"
    );
}

#[test]
fn a_process_that_is_killed_ends_the_others() {
    for (processes, workers) in [(2, 1), (2, 2), (3, 1), (3, 2)] {
        let tasks = cluster(processes, workers, "for-ever");
        let (ended, time) = break_one(&tasks, |processes| processes[1].signal("-KILL"));
        blame(&tasks, &ended, "gone");
        assert!(time < tasks[0].silence + ROOM);
    }
}

#[test]
fn a_process_that_is_stopped_ends_the_others() {
    for (processes, workers) in [(2, 1), (3, 2)] {
        let mut tasks = cluster(processes, workers, "for-ever");
        tasks.iter_mut().for_each(|task| task.silence = Duration::from_secs(2));
        let mut stopped = None;
        let (ended, time) = break_one(&tasks, |processes| {
            let one = processes.remove(1);
            one.signal("-STOP");
            stopped = Some(one);
        });
        let last = ended[0].last();
        let name = format!("process 1 ({})", tasks[1].addresses[1]);
        assert!(ended.iter().all(|ended| ended.last().contains(&name)), "{ended:?}");
        assert!(last.contains("no sign of life"), "{ended:?}");
        assert!(time < tasks[0].silence + ROOM);
        // When it goes on it finds that the others are gone.
        let stopped = stopped.unwrap();
        stopped.signal("-CONT");
        let ended = stopped.end();
        assert!(ended.last().starts_with("broken: process "), "{ended:?}");
        assert!(!ended.last().contains("no sign of life from process 1"), "{ended:?}");
    }
}

#[test]
fn a_process_that_is_stopped_for_a_moment_goes_on() {
    let tasks = cluster(2, 1, "free 5 7 4 20000");
    let began = Instant::now();
    let (ended, _) = break_one(&tasks, |processes| {
        processes[1].signal("-STOP");
        std::thread::sleep(Duration::from_millis(1_500));
        processes[1].signal("-CONT");
    });
    assert!(ended.iter().all(|ended| ended.last() == "32768"), "{ended:?}");
    let last = ended[0].said.last().unwrap().0;
    assert!(last > began + Duration::from_millis(2_500), "it was still going: {ended:?}");
}

#[test]
fn a_panic_in_a_worker_ends_all_processes() {
    for (processes, workers, worker) in [(2, 1, 1), (2, 2, 2), (2, 2, 3), (3, 1, 1)] {
        let tasks = cluster(processes, workers, &format!("panic {worker}"));
        let (ended, time) = break_one(&tasks, |_| ());
        for (process, ended) in ended.iter().enumerate() {
            let what = format!("worker {worker} panicked: on purpose");
            let said = match process {
                1 => format!("broken: {what}"),
                _ => format!("broken: process 1 ({}) gives up: {what}", tasks[1].addresses[1]),
            };
            assert_eq!(ended.last(), said, "{processes} × {workers}");
        }
        assert!(time < tasks[0].silence + ROOM);
    }
}

#[test]
fn who_ends_before_the_others_breaks_the_run() {
    for (processes, workers) in [(2, 1), (3, 2)] {
        let said = all(&cluster(processes, workers, "early 1"));
        assert!(
            said.iter()
                .all(|last| last.starts_with("broken: ") && last.contains("worker 1 ended before")),
            "{said:?}"
        );
    }
}

#[test]
fn a_worker_that_is_busy_for_long_is_no_fault() {
    let mut tasks = cluster(2, 1, "busy 4000");
    tasks.iter_mut().for_each(|task| task.silence = Duration::from_secs(1));
    assert_eq!(all(&tasks), ["well", "well"]);
}

#[test]
fn who_searches_something_else_is_told_on_both_sides() {
    let mut tasks = cluster(2, 1, "free 3 3 1 0");
    tasks[1].subject = vec![("model".to_string(), "other".to_string())];
    let [first, second] =
        [0, 1].map(|process| format!("process {process} ({})", tasks[0].addresses[process]));
    let said = all(&tasks);
    assert_eq!(said[0], format!("broken: {second} differs: model: 'toy' here, 'other' there"));
    assert_eq!(said[1], format!("broken: {first} differs: model: 'other' here, 'toy' there"));
}

#[test]
fn another_number_of_workers_is_told_on_both_sides() {
    let mut tasks = cluster(2, 1, "free 3 3 1 0");
    tasks[1].workers = 2;
    let said = all(&tasks);
    assert!(said[0].ends_with("number of workers a process: '1' here, '2' there"), "{said:?}");
    assert!(said[1].ends_with("number of workers a process: '2' here, '1' there"), "{said:?}");
}

#[test]
fn who_does_not_come_is_named() {
    let mut tasks = cluster(3, 1, "free 3 3 1 0");
    tasks.iter_mut().for_each(|task| task.start = Duration::from_secs(1));
    let said = all(&[tasks[0].clone(), tasks[2].clone()]);
    let name = format!("process 1 ({}) did not come within 1 s", tasks[0].addresses[1]);
    assert_eq!(said[0], format!("broken: {name}"));
    assert!(said[1].contains(&name), "{said:?}");
}

#[test]
fn an_address_that_is_taken_is_told() {
    let tasks = cluster(2, 1, "free 3 3 1 0");
    let _taken = std::net::TcpListener::bind(&tasks[0].addresses[0]).unwrap();
    let said = all(&tasks[..1]);
    assert!(
        said[0].starts_with(&format!("broken: cannot listen at {}: ", tasks[0].addresses[0])),
        "{said:?}"
    );
}
