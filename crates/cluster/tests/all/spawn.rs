//! Processes for tests: this test program once more, with `child::child` as its only test and a task in its environment.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a child prints before what it has to say.
pub(crate) const MARK: &str = "child says: ";
pub(crate) const SECRET: &str = "a secret of the tests";

/// Addresses on the loopback network that no other test uses: each run and each cluster has a host of its own.
pub(crate) fn addresses(processes: usize) -> Vec<String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let run = std::process::id();
    let host = format!(
        "127.{}.{}.{}",
        1 + run % 250,
        run / 250 % 250,
        1 + NEXT.fetch_add(1, Relaxed) % 250
    );
    (0..processes).map(|process| format!("{host}:{}", 21_100 + process)).collect()
}

/// One process of a cluster, and what it is told.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) addresses: Vec<String>,
    pub(crate) process: usize,
    pub(crate) workers: usize,
    /// Name and arguments, as `child` knows them.
    pub(crate) work: String,
    pub(crate) secret: String,
    pub(crate) subject: Vec<(String, String)>,
    pub(crate) start: Duration,
    pub(crate) silence: Duration,
    pub(crate) window: usize,
    /// A network namespace.
    pub(crate) namespace: Option<String>,
}

impl Task {
    pub(crate) fn new(addresses: &[String], process: usize, workers: usize, work: &str) -> Task {
        Task {
            addresses: addresses.to_vec(),
            process,
            workers,
            work: work.to_string(),
            secret: SECRET.to_string(),
            subject: vec![("model".to_string(), "toy".to_string())],
            start: Duration::from_secs(30),
            silence: Duration::from_secs(5),
            window: 1 << 20,
            namespace: None,
        }
    }

    pub(crate) fn spawn(&self) -> Process {
        let me = std::env::current_exe().unwrap();
        let mut command = match &self.namespace {
            None => Command::new(me),
            Some(namespace) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", namespace]).arg(me);
                command
            }
        };
        let subject: Vec<String> =
            self.subject.iter().map(|(name, value)| format!("{name}={value}")).collect();
        command.args(["--exact", "child::child", "--nocapture", "--test-threads=1"]);
        command.env("LARIAT_CLUSTER_WORK", &self.work);
        command.env("LARIAT_CLUSTER_ADDRESSES", self.addresses.join(","));
        command.env("LARIAT_CLUSTER_PROCESS", self.process.to_string());
        command.env("LARIAT_CLUSTER_WORKERS", self.workers.to_string());
        command.env("LARIAT_CLUSTER_SECRET", &self.secret);
        command.env("LARIAT_CLUSTER_SUBJECT", subject.join(","));
        command.env("LARIAT_CLUSTER_START", self.start.as_millis().to_string());
        command.env("LARIAT_CLUSTER_SILENCE", self.silence.as_millis().to_string());
        command.env("LARIAT_CLUSTER_WINDOW", self.window.to_string());
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let said = std::thread::spawn(move || {
            let said = out
                .lines()
                .map_while(Result::ok)
                .filter_map(|line| Some((Instant::now(), line.split_once(MARK)?.1.to_string())));
            said.collect()
        });
        Process { child, said: Some(said) }
    }
}

/// All processes of a cluster.
pub(crate) fn cluster(processes: usize, workers: usize, work: &str) -> Vec<Task> {
    let addresses = addresses(processes);
    (0..processes).map(|process| Task::new(&addresses, process, workers, work)).collect()
}

pub(crate) struct Process {
    child: Child,
    said: Option<JoinHandle<Vec<(Instant, String)>>>,
}

/// What a process has said, when, and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) said: Vec<(Instant, String)>,
    pub(crate) status: ExitStatus,
}

impl Ended {
    /// The last line.
    pub(crate) fn last(&self) -> &str {
        self.said.last().map_or("nothing", |(_, line)| line)
    }
}

impl Process {
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// No hang goes on for ever, also if it is what a test has found.
    pub(crate) fn end(mut self) -> Ended {
        let until = Instant::now() + Duration::from_secs(120);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > until {
                self.child.kill().unwrap();
                let _ = self.child.wait();
                panic!("a process did not end: {:?}", self.said.take().unwrap().join());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        Ended { said: self.said.take().unwrap().join().unwrap(), status }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.said.is_some() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Runs all, and gives what each has said at last.
pub(crate) fn all(tasks: &[Task]) -> Vec<String> {
    let processes: Vec<Process> = tasks.iter().map(Task::spawn).collect();
    let ended: Vec<Ended> = processes.into_iter().map(Process::end).collect();
    ended.iter().map(|ended| ended.last().to_string()).collect()
}

/// A file for a test, in a folder of its own.
pub(crate) fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lariat-cluster-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}
