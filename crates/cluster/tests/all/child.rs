//! What a process that a test has started does.

use crate::spawn::MARK;
use crate::toy::{self, Graph};
use lariat_cluster::{Limits, Secret, Setting, run};
use lariat_core::{Broken, Event, Exchange};
use std::time::{Duration, Instant};

fn get(name: &str) -> Option<String> {
    std::env::var(format!("LARIAT_CLUSTER_{name}")).ok()
}

fn number(name: &str) -> u64 {
    get(name).unwrap().parse().unwrap()
}

pub(crate) fn say(what: &str) {
    println!("\n{MARK}{what}");
}

/// Does nothing if nobody has started it as a process of a cluster.
#[test]
fn child() {
    let Some(work) = get("WORK") else { return };
    let setting = Setting {
        addresses: get("ADDRESSES").unwrap().split(',').map(str::to_string).collect(),
        process: number("PROCESS") as usize,
        workers: number("WORKERS") as usize,
        secret: Some(Secret::new(get("SECRET").unwrap().as_bytes()).unwrap()),
        subject: get("SUBJECT")
            .unwrap()
            .split(',')
            .filter_map(|part| part.split_once('='))
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect(),
        limits: Limits {
            start: Duration::from_millis(number("START")),
            silence: Duration::from_millis(number("SILENCE")),
        },
        window: number("WINDOW") as usize,
    };
    let words: Vec<&str> = work.split(' ').collect();
    let result = run(&setting, |exchange, _| task(&words, exchange));
    match result {
        Ok(results) => {
            let results = results.into_iter().collect::<Result<Vec<String>, Broken>>().unwrap();
            assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
            say(&results[0]);
        }
        Err(broken) => {
            say(&format!("broken: {broken}"));
            std::process::exit(3);
        }
    }
}

fn task(words: &[&str], exchange: &mut dyn Exchange) -> Result<String, Broken> {
    let argument = |n: usize| words[n].parse::<u64>().unwrap();
    let graph = || Graph {
        counters: argument(1) as u32,
        most: argument(2),
        batch: argument(3) as usize,
        delay: argument(4),
    };
    Ok(match words[0] {
        "level" => format!("{:?}", toy::by_level(graph(), exchange)?),
        "free" => toy::free(graph(), exchange)?.to_string(),
        "stopped" => toy::stopped(graph(), exchange)?.to_string(),
        "converse" => {
            toy::converse(argument(1), argument(2), exchange)?;
            "well".to_string()
        }
        "phases" => phases(argument(1), exchange)?,
        "for-ever" => for_ever(exchange)?,
        "panic" => panic_in(argument(1) as usize, exchange)?,
        "early" => early(argument(1) as usize, exchange)?,
        "busy" => busy(Duration::from_millis(argument(1)), exchange)?,
        "flood" => flood(argument(1), argument(2), exchange)?,
        other => panic!("{other}"),
    })
}

/// Empty phases, one after the other.
fn phases(number: u64, exchange: &mut dyn Exchange) -> Result<String, Broken> {
    for _ in 0..number {
        while exchange.rest()? != Event::Over {}
    }
    Ok("all over".to_string())
}

/// Messages go round until something breaks.
fn for_ever(exchange: &mut dyn Exchange) -> Result<String, Broken> {
    let (me, workers) = (exchange.me(), exchange.workers());
    exchange.send((me + 1) % workers, vec![7; 1_000]);
    let mut is_said = false;
    loop {
        if let Event::Message { bytes, .. } = exchange.rest()? {
            if !is_said && me.is_multiple_of(workers / 2) {
                say("going");
            }
            is_said = true;
            std::thread::sleep(Duration::from_micros(200));
            exchange.send((me + 1) % workers, bytes);
        }
    }
}

fn panic_in(worker: usize, exchange: &mut dyn Exchange) -> Result<String, Broken> {
    let began = Instant::now();
    let (me, workers) = (exchange.me(), exchange.workers());
    exchange.send((me + 1) % workers, vec![7; 1_000]);
    loop {
        if let Event::Message { bytes, .. } = exchange.rest()? {
            if me == worker && began.elapsed() > Duration::from_millis(300) {
                say("panics");
                panic!("on purpose");
            }
            std::thread::sleep(Duration::from_micros(200));
            exchange.send((me + 1) % workers, bytes);
        }
    }
}

/// One worker returns after the first phase, the others wait for a second one.
fn early(worker: usize, exchange: &mut dyn Exchange) -> Result<String, Broken> {
    while exchange.rest()? != Event::Over {}
    if exchange.me() != worker {
        while exchange.rest()? != Event::Over {}
    }
    Ok("ended".to_string())
}

/// Worker 0 does not look at its exchange for a long time.
fn busy(time: Duration, exchange: &mut dyn Exchange) -> Result<String, Broken> {
    if exchange.me() == 0 {
        let until = Instant::now() + time;
        while Instant::now() < until {
            std::hint::spin_loop();
        }
    }
    while exchange.rest()? != Event::Over {}
    Ok("well".to_string())
}

/// Everybody sends so many MiB to the last worker, which takes so many microseconds for each message of 4 KiB. How much more memory a process has needed, in MiB.
fn flood(mebibytes: u64, slow: u64, exchange: &mut dyn Exchange) -> Result<String, Broken> {
    let (me, last) = (exchange.me(), exchange.workers() - 1);
    let before = peak();
    let mut taken = 0_u64;
    let mut take = |event: Event| {
        if let Event::Message { bytes, .. } = event {
            taken += bytes.len() as u64;
            std::thread::sleep(Duration::from_micros(slow));
        }
    };
    if me != last {
        for _ in 0..mebibytes * 256 {
            while !exchange.may_send() {
                exchange.poll()?.map(&mut take);
            }
            exchange.send(last, vec![1; 4096]);
        }
    }
    loop {
        match exchange.rest()? {
            Event::Over => break,
            event => take(event),
        }
    }
    if me == last {
        assert_eq!(taken, mebibytes * 256 * 4096 * last as u64);
    }
    Ok(format!("{}", (peak() - before) >> 10))
}

/// The most memory that this process has had: KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
