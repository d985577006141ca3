//! What the exchange costs: `cargo run --release -p lariat-cluster --example measure -- PROCESSES WORKERS TASK`.
//!
//! It starts itself once more for each process, on the loopback network. Tasks:
//! - `phases N`: N empty phases;
//! - `ring N`: one message goes round N times, in one phase;
//! - `spread BYTES MIB`: each worker sends so many MiB in messages of so many bytes, evenly to all others;
//! - `flood MIB MICROS`: all send so many MiB in messages of 4 KiB to the last worker, which takes so long for each;
//! - `idle SECONDS`: worker 0 works for itself, the others rest.
//!
//! Each process prints CPU seconds (user and system), seconds by the clock, and its peak of memory beyond what it had before.

use lariat_cluster::{Secret, Setting, run};
use lariat_core::{Broken, Event, Exchange};
use std::process::{Command, exit};
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() < 4 {
        eprintln!("usage: measure PROCESSES WORKERS TASK ARGUMENTS");
        exit(2);
    }
    let number =
        |text: &str| text.parse::<usize>().unwrap_or_else(|_| panic!("{text}: expected a number"));
    let (processes, workers, task) =
        (number(&arguments[0]), number(&arguments[1]), &arguments[2..]);
    let Ok(process) = std::env::var("MEASURE_PROCESS") else {
        let host = format!(
            "127.{}.{}.1",
            1 + std::process::id() % 250,
            1 + std::process::id() / 250 % 250
        );
        let me = std::env::current_exe().unwrap();
        let start = |process: usize| {
            let mut command = Command::new(&me);
            command
                .args(&arguments)
                .env("MEASURE_PROCESS", process.to_string())
                .env("MEASURE_HOST", &host);
            command.spawn().unwrap()
        };
        let children: Vec<_> = (0..processes).map(start).collect();
        let is_well = children
            .into_iter()
            .map(|mut child| child.wait().unwrap().success())
            .fold(true, |a, b| a & b);
        exit(i32::from(!is_well));
    };
    let host = std::env::var("MEASURE_HOST").unwrap();
    let setting = Setting {
        addresses: (0..processes).map(|process| format!("{host}:{}", 21_100 + process)).collect(),
        process: number(&process),
        secret: Some(Secret::new(b"measurements only").unwrap()),
        window: std::env::var("MEASURE_WINDOW").map_or(1 << 20, |window| number(&window)),
        ..Setting::alone(workers)
    };
    let results = run(&setting, |exchange, _| {
        while exchange.rest()? != Event::Over {}
        let (began, cpu, memory) = (Instant::now(), cpu(), peak());
        work(task, exchange)?;
        Ok::<_, Broken>((began.elapsed(), cpu, memory))
    });
    let results: Vec<_> = results.and_then(|results| results.into_iter().collect()).unwrap();
    let (elapsed, before, memory) = results[0];
    let (cpu, more) = (cpu() - before, peak() - memory);
    println!("process {process}: {cpu:.3} CPU s, {:.3} s, {more} KiB more", elapsed.as_secs_f64());
}

fn work(task: &[String], exchange: &mut dyn Exchange) -> Result<(), Broken> {
    let argument = |n: usize| task[n].parse::<u64>().unwrap();
    let (me, workers) = (exchange.me(), exchange.workers());
    let mut slow = Duration::ZERO;
    let send = |exchange: &mut dyn Exchange, to: usize, bytes: u64| -> Result<(), Broken> {
        while !exchange.may_send() {
            exchange.poll()?;
        }
        exchange.send(to, vec![1; bytes as usize]);
        Ok(())
    };
    match task[0].as_str() {
        "phases" => {
            for _ in 0..argument(1) {
                while exchange.rest()? != Event::Over {}
            }
        }
        "ring" => {
            if me == 0 {
                send(exchange, 1 % workers, 64)?;
            }
            let mut left = argument(1);
            while let Event::Message { bytes, .. } = exchange.rest()? {
                if me > 0 || left > 0 {
                    left = left.saturating_sub(1);
                    exchange.send((me + 1) % workers, bytes);
                }
            }
            return Ok(());
        }
        "spread" => {
            let (bytes, all) = (argument(1), argument(2) << 20);
            for n in 0..all / bytes {
                let to = (me + 1 + n as usize % (workers - 1).max(1)) % workers;
                send(exchange, to, bytes)?;
                if n.is_multiple_of(64) {
                    exchange.poll()?;
                }
            }
        }
        "flood" => {
            let last = workers - 1;
            slow = Duration::from_micros(if me == last { argument(2) } else { 0 });
            if me != last {
                for _ in 0..argument(1) << 8 {
                    send(exchange, last, 4096)?;
                }
            }
        }
        "idle" => {
            let until = Instant::now() + Duration::from_secs(argument(1));
            while me == 0 && Instant::now() < until {
                std::hint::spin_loop();
            }
        }
        other => panic!("no task is called {other}"),
    }
    while exchange.rest()? != Event::Over {
        std::thread::sleep(slow);
    }
    Ok(())
}

/// CPU seconds of this process.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks = |n: usize| fields[n].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / 100.0
}

/// The most memory that this process has had: KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
