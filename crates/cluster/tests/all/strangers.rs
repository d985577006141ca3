//! Whoever connects without being one of us is turned away, and the others go on.

use crate::spawn::{Process, Task, all, cluster};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Connects as soon as somebody listens.
fn connect(address: &str) -> TcpStream {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(error) if Instant::now() > until => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Process 0 waits, strangers come with these bytes and stay, then process 1 comes: what both say.
fn with_strangers(all_bytes: &[Vec<u8>]) -> Vec<String> {
    let tasks = cluster(2, 1, "free 4 7 16 0");
    let first = tasks[0].spawn();
    let strangers: Vec<TcpStream> = all_bytes
        .iter()
        .map(|bytes| {
            let mut stream = connect(&tasks[0].addresses[0]);
            // It may be turned away in the middle.
            let _ = stream.write_all(bytes);
            stream
        })
        .collect();
    let second = tasks[1].spawn();
    let said = [first, second].map(|process| process.end().last().to_string());
    drop(strangers);
    said.to_vec()
}

/// What a process says first: magic, protocol, from, to, and a number that was drawn.
fn hello(protocol: u32, from: u32, to: u32) -> Vec<u8> {
    let mut hello = b"lariat\r\n".to_vec();
    [protocol, from, to].iter().for_each(|word| hello.extend(word.to_le_bytes()));
    hello.extend([9; 32]);
    hello
}

#[test]
fn who_says_nothing_little_or_nonsense_is_turned_away() {
    let random = |seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..1_000).map(|_| random.u8(..)).collect::<Vec<u8>>()
    };
    let kinds = [
        vec![Vec::new()],
        vec![vec![1, 2, 3]],
        vec![random(1)],
        vec![vec![0xFF; 8]],
        vec![[hello(1, 1, 0), vec![0xFF; 100]].concat()],
        vec![hello(1, 1, 0)],
        vec![hello(7, 1, 0)],
        vec![hello(1, 99, 0)],
        (0..100).map(random).collect(),
    ];
    for strangers in kinds {
        assert_eq!(with_strangers(&strangers), ["4096", "4096"], "{strangers:?}");
    }
}

#[test]
fn who_has_another_secret_is_turned_away_and_named() {
    let mut tasks = cluster(2, 1, "free 4 7 16 0");
    let [first, second] = [tasks[0].clone(), tasks[1].clone()];
    tasks[1].secret = "not the secret of the others".to_string();
    tasks.iter_mut().for_each(|task| task.start = Duration::from_secs(2));
    let said = all(&tasks);
    for (process, last) in said.iter().enumerate() {
        let what = format!("broken: process {} (", 1 - process);
        assert!(
            last.starts_with(&what) && last.contains("did not come within 2 s; turned away: "),
            "{said:?}"
        );
    }
    assert!(said[1].contains("does not know the secret"), "{said:?}");
    // While the first one waits, the right one may still come.
    let (waits, wrong) = (first.spawn(), tasks[1].spawn());
    assert!(wrong.end().last().starts_with("broken: "));
    assert_eq!(
        [waits, second.spawn()].map(|process| process.end().last().to_string()),
        ["4096", "4096"]
    );
}

#[test]
fn a_second_process_with_the_same_number_is_refused() {
    // The third one comes later, so the others still listen.
    let tasks = cluster(3, 1, "free 4 7 16 0");
    let spawn = |process: usize| -> Process { tasks[process].spawn() };
    let (first, second) = (spawn(0), spawn(1));
    std::thread::sleep(Duration::from_millis(1_000));
    // Another host with the same number: it has an address of its own, so nothing but its number is taken.
    let mut again: Task = tasks[1].clone();
    again.addresses[1] = again.addresses[1].replace(":21101", ":21109");
    let refused = again.spawn().end();
    assert!(refused.last().ends_with("refuses: process 1 is here already"), "{refused:?}");
    let third = spawn(2);
    for process in [first, second, third] {
        assert_eq!(process.end().last(), "4096");
    }
}

#[test]
fn somebody_else_at_an_address_is_not_taken_for_a_process() {
    let mut tasks = cluster(2, 1, "free 3 3 1 0");
    tasks[1].start = Duration::from_secs(1);
    let stranger = std::net::TcpListener::bind(&tasks[0].addresses[0]).unwrap();
    let talk = std::thread::spawn(move || {
        let (mut stream, _) = stranger.accept().unwrap();
        let _ = stream.write_all(
            b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    });
    let said = all(&tasks[1..]);
    assert!(
        said[0].contains("did not come within 1 s; turned away: ")
            && said[0].contains("does not speak our protocol"),
        "{said:?}"
    );
    talk.join().unwrap();
}
