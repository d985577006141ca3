//! A command whose searches are spread over several processes.
//!
//! Every worker of every process runs the whole command, each with its own way to the others; they ask the same and are told the same. One of them speaks: the first worker of process 0.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lariat_cluster::{Secret, Setting, hosts};
use lariat_core::Exchange;
use lariat_core::exchange::relay::{Relay, relay};
use lariat_report::numbers::grouped;
use lariat_search::spread::{Keeping, Pace, Resumed, Saved};
use lariat_verify::Spread;

use crate::arguments::FOR_TESTS;
use crate::bug;
use crate::exit::Exit;
use crate::input;

/// Bytes of stack of a worker: as much as the main thread has.
const STACK: usize = 8 << 20;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "spread")]
pub(crate) struct Args {
    /// Spread the search over N processes of this machine, to try that out (see docs/cluster.md)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), conflicts_with = "hosts")]
    processes: Option<u16>,
    /// Spread the search over the processes at these addresses: one `address:port` a line
    #[arg(long, value_name = "FILE", requires = "process", requires = "secret")]
    hosts: Option<PathBuf>,
    /// Which line of --hosts this process is, from 0 on. Process 0 reports
    #[arg(long, value_name = "N", requires = "hosts")]
    process: Option<usize>,
    /// The file with the secret that all processes know
    #[arg(long, value_name = "FILE", requires = "hosts")]
    secret: Option<PathBuf>,
    /// Spread: do not wait for each other after each level, which is faster where there are many. An
    /// error is searched for once more by levels
    #[arg(long)]
    free: bool,
    /// Spread: wait for each other after each level to the end. Without this and without --bfs, a search goes on as with --free after a thousand
    /// narrow levels
    #[arg(long, conflicts_with = "free")]
    levels: bool,
    /// Spread: go on as with --free after N narrow levels
    #[arg(long, value_name = "N", conflicts_with_all = ["free", "levels"], hide_short_help = true, help_heading = FOR_TESTS)]
    narrow_levels: Option<u64>,
    /// Save the search in this folder now and then, after Ctrl-C, and when a limit of time or memory is reached, so that
    /// --resume can go on with it. Workers share nothing then, as with --processes
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// How often to save it
    #[arg(long, value_name = "MINUTES", requires = "checkpoint", value_parser = minutes, default_value = "10")]
    every: Duration,
    /// Go on with what was saved in this folder by the same command, with the same or another number of processes and threads
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Save the search when a worker has expanded N states, and end it as Ctrl-C would
    #[arg(long, value_name = "N", requires = "checkpoint", hide_short_help = true, help_heading = FOR_TESTS)]
    cut_after: Option<u64>,
    /// So many processes share the memory of this machine
    #[arg(long, value_name = "N", hide = true, requires = "hosts")]
    sharing: Option<u16>,
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse::<f64>().map_err(|_| "expected minutes".to_owned())?;
    Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())
}

/// Options in which processes differ, with a value.
const OF_PROCESS: [&str; 5] = ["--processes", "--hosts", "--process", "--secret", "--sharing"];
/// Options that ask nothing, with a value: a search may go on with others.
const OF_RUN: [&str; 8] = [
    "--checkpoint",
    "--every",
    "--cut-after",
    "--resume",
    "--max-memory",
    "--time-limit",
    "--threads",
    "--progress",
];

/// What all workers know of checkpoints.
#[derive(Clone, Default)]
struct Kept {
    is_bfs: bool,
    keeping: Option<Keeping>,
    resumed: Vec<Resumed>,
}

thread_local! {
    static CURRENT: RefCell<Option<Spread>> = const { RefCell::new(None) };
    static SILENT: Cell<(bool, bool)> = const { Cell::new((false, false)) };
}

/// The way of this thread to the other workers, if its searches are spread.
pub(crate) fn current() -> Option<Spread> {
    CURRENT.with_borrow(Clone::clone)
}

/// Whether another worker speaks for this thread: on standard output, and on standard error.
pub(crate) fn is_silent() -> (bool, bool) {
    SILENT.get()
}

impl Args {
    pub(crate) fn is_given(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some() || self.is_kept()
    }

    /// Whether searches go by levels; `is_bfs`: a nearest error, or the depth, was asked for.
    fn pace(&self, is_bfs: bool) -> Pace {
        match self.narrow_levels {
            _ if self.free => Pace::Free,
            _ if self.levels || is_bfs => Pace::Levels,
            None => Pace::USUAL,
            Some(levels) => Pace::Narrow(levels),
        }
    }

    fn is_kept(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }

    /// How many processes share the memory of this machine, as far as is known.
    pub(crate) fn on_this_machine(&self) -> usize {
        self.processes.or(self.sharing).unwrap_or(1).into()
    }

    /// What is wrong with it, beside what the command knows.
    pub(crate) fn complaint(&self, model: &Path) -> Option<String> {
        let paces = [
            (self.free, "--free"),
            (self.levels, "--levels"),
            (self.narrow_levels.is_some(), "--narrow-levels"),
        ];
        let misplaced = paces.into_iter().find(|&(is_given, _)| is_given && !self.is_given());
        if let Some((_, option)) = misplaced {
            return Some(format!("{option} has no effect without --processes or --hosts"));
        }
        let is_read_once = self.is_given() && model == Path::new("-");
        is_read_once
            .then(|| "several processes cannot all read the model from standard input".to_owned())
    }

    /// Runs a command: by itself, or by all workers of this process.
    pub(crate) fn run(
        &self,
        asked: Asked<'_>,
        threads: Option<usize>,
        command: impl Fn() -> Exit + Sync,
    ) -> Exit {
        if !self.is_given() {
            return command();
        }
        let workers = threads.unwrap_or(1);
        let kept = match self.kept(asked) {
            Ok(kept) => kept,
            Err(message) => return input::refuse(&message),
        };
        if self.hosts.is_none() {
            let processes = self.processes.unwrap_or(1).into();
            return self.run_here(processes, workers, asked, &kept, command);
        }
        match self.setting(workers, asked) {
            Ok(setting) => self.take_part(&setting, &kept, command),
            Err(message) => input::refuse(&message),
        }
    }

    /// Where the search is saved, and what it goes on with.
    fn kept(&self, asked: Asked<'_>) -> Result<Kept, String> {
        if !self.is_kept() {
            return Ok(Kept { is_bfs: asked.is_bfs, ..Kept::default() });
        }
        let about = subject(asked)?;
        let resumed = match &self.resume {
            Some(folder) => Resumed::find(folder, &about)?,
            None => Vec::new(),
        };
        let Some(folder) = self.checkpoint.clone() else {
            return Ok(Kept { is_bfs: asked.is_bfs, keeping: None, resumed });
        };
        let said = |error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(said)?;
        let same = |other: &PathBuf| fs::canonicalize(other).ok() == fs::canonicalize(&folder).ok();
        if !self.resume.as_ref().is_some_and(same) && Resumed::is_in(&folder)? {
            let folder = folder.display();
            return Err(format!(
                "{folder} has a checkpoint already: go on with it (--resume {folder}), or save in another folder"
            ));
        }
        let keeping = Some(Keeping { folder, every: self.every, cut_after: self.cut_after, about });
        Ok(Kept { is_bfs: asked.is_bfs, keeping, resumed })
    }

    fn setting(&self, workers: usize, asked: Asked<'_>) -> Result<Setting, String> {
        let (Some(file), Some(secret)) = (&self.hosts, &self.secret) else {
            return Err("--hosts, --process and --secret belong together".to_owned());
        };
        let addresses = hosts::read(file).map_err(|error| error.to_string())?;
        let secret = Some(Secret::read(secret)?);
        let process = self.process.unwrap_or(0);
        let subject = subject(asked)?;
        Ok(Setting { addresses, process, secret, subject, ..Setting::alone(workers) })
    }

    fn take_part(&self, setting: &Setting, kept: &Kept, command: impl Fn() -> Exit + Sync) -> Exit {
        let work = |exchange: &mut dyn Exchange, number: usize| {
            let speaks = number == 0;
            let is_silent = (!speaks || setting.process > 0, !speaks);
            let spread = |relay| {
                let Kept { keeping, resumed, .. } = kept.clone();
                Spread::new(relay, self.pace(kept.is_bfs)).keeping(keeping, resumed)
            };
            work(exchange, (spread, &kept.keeping), is_silent, &command)
        };
        match lariat_cluster::run(setting, work) {
            Ok(exits) if setting.process == 0 => {
                if let (Exit::Holds | Exit::Violated, Some(keeping)) = (exits[0], &kept.keeping) {
                    keeping.clear();
                }
                exits[0]
            }
            Ok(_) => {
                if self.sharing.is_none() {
                    errln!("process {}: done; process 0 reports", setting.process);
                }
                Exit::Holds
            }
            Err(broken) => {
                errln!("inconclusive: {broken}");
                tell_of_last(&kept.keeping);
                Exit::Inconclusive
            }
        }
    }

    /// This process is the first; it starts the others.
    fn run_here(
        &self,
        processes: usize,
        workers: usize,
        asked: Asked<'_>,
        kept: &Kept,
        command: impl Fn() -> Exit + Sync,
    ) -> Exit {
        let begun = subject(asked).and_then(|subject| {
            let mut setting = Setting { subject, ..Setting::alone(workers) };
            let others = match processes {
                1 => None,
                _ => Some(
                    Others::start(processes, &mut setting)
                        .map_err(|error| format!("cannot start other processes: {error}"))?,
                ),
            };
            Ok((setting, others))
        });
        match begun {
            Ok((setting, others)) => {
                let exit = self.take_part(&setting, kept, command);
                if let Some(others) = others {
                    others.end(exit != Exit::Inconclusive);
                }
                exit
            }
            Err(message) => input::refuse(&message),
        }
    }
}

/// There is no answer, and nothing was saved just now: what there was before may be gone on with.
fn tell_of_last(keeping: &Option<Keeping>) {
    if let Some(Keeping { folder, about, .. }) = keeping
        && Resumed::find(folder, about).is_ok()
    {
        let folder = folder.display();
        errln!("the last checkpoint is in {folder}: go on with --resume {folder}");
    }
}

/// One worker's command.
fn work(
    exchange: &mut dyn Exchange,
    (spread, keeping): (impl FnOnce(Relay) -> Spread + Send, &Option<Keeping>),
    is_silent: (bool, bool),
    command: &(impl Fn() -> Exit + Sync),
) -> Exit {
    let (relay, served) = relay(exchange);
    std::thread::scope(|scope| {
        let at_work = move || {
            let spread = spread(relay);
            CURRENT.set(Some(spread.clone()));
            SILENT.set(is_silent);
            let exit = bug::guarded(|| Ok(command())).unwrap_or_else(|exit| exit);
            match spread.saved().filter(|_| !is_silent.0) {
                Some(Saved { question, folder, states }) => {
                    let (folder, states) = (folder.display(), grouped(states));
                    errln!("saved: {question}, {states} states; go on with --resume {folder}");
                }
                None if exit == Exit::Inconclusive && !is_silent.0 => tell_of_last(keeping),
                None => {}
            }
            for question in spread.not_resumed().iter().filter(|_| !is_silent.0) {
                errln!("warning: nobody has asked what the checkpoint of {question} goes on with");
            }
            CURRENT.take();
            exit
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, at_work);
        let thread = thread.expect("a thread can be started");
        served.serve(exchange);
        thread.join().unwrap_or(Exit::InternalError)
    })
}

/// What a command reads.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) model: &'a Path,
    /// Whether it asks for what only levels tell.
    pub(crate) is_bfs: bool,
    /// Files with properties.
    pub(crate) properties: &'a [&'a Path],
}

/// What all processes must agree on: the model, what properties are in files, and all options but those that tell processes apart.
fn subject(Asked { model, properties, .. }: Asked<'_>) -> Result<Vec<(String, String)>, String> {
    let (name, text) = input::read(model)?;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let mut included = BTreeSet::new();
    includes(&text, model.parent().unwrap_or(Path::new("")), &mut included);
    included.iter().for_each(|(name, text)| (name, text).hash(&mut hasher));
    let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let given = std::env::args().skip(1).filter(|argument| Path::new(argument) != model);
    let without = [&OF_PROCESS[..], &OF_RUN].concat();
    let options = without_options(given, &without).join(" ");
    let model = format!("{name} {:016x}", hasher.finish());
    let mut subject = vec![("model".to_owned(), model), ("options".to_owned(), options)];
    for path in properties {
        let mut hasher = DefaultHasher::new();
        input::read(path)?.1.hash(&mut hasher);
        subject.push((path.display().to_string(), format!("{:016x}", hasher.finish())));
    }
    Ok(subject)
}

/// All that a text names in `#include "…"`, be it included under the conditions at hand or not, and what those name.
fn includes(text: &str, folder: &Path, found: &mut BTreeSet<(PathBuf, String)>) {
    let quoted = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        rest.split('"').nth(1).map(PathBuf::from)
    };
    for name in text.lines().filter_map(quoted) {
        let file = folder.join(&name);
        let Ok(text) = fs::read_to_string(&file) else { continue };
        if found.insert((name, text.clone())) {
            includes(&text, file.parent().unwrap_or(folder), found);
        }
    }
}

/// Arguments without some options that have values.
fn without_options(arguments: impl Iterator<Item = String>, options: &[&str]) -> Vec<String> {
    let (mut kept, mut is_value) = (Vec::new(), false);
    for argument in arguments {
        let is_own = options.contains(&argument.as_str());
        let has_value = options.iter().any(|own| argument.starts_with(&format!("{own}=")));
        if !is_own && !has_value && !is_value {
            kept.push(argument);
        }
        is_value = is_own;
    }
    kept
}

/// Processes of this machine, and the files that they are told of. They end with this.
struct Others {
    children: Vec<Child>,
    folder: PathBuf,
}

impl Others {
    fn start(processes: usize, setting: &mut Setting) -> Result<Others, String> {
        let said = |error: std::io::Error| error.to_string();
        let listeners: Result<Vec<_>, _> = (0..processes).map(|_| free_port()).collect();
        let listeners = listeners.map_err(said)?;
        let addresses: Result<Vec<_>, _> = listeners.iter().map(TcpListener::local_addr).collect();
        // The others listen there.
        drop(listeners);
        setting.addresses = addresses.map_err(said)?.iter().map(ToString::to_string).collect();
        let mut random = [0; 24];
        fs::File::open("/dev/urandom")
            .and_then(|mut file| file.read_exact(&mut random))
            .map_err(said)?;
        let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder =
            std::env::temp_dir().join(format!("lariat-{}-{}", std::process::id(), &hex[..8]));
        let mut others = Others { children: Vec::new(), folder };
        make_folder(&others.folder).map_err(said)?;
        let (hosts, secret) = (others.folder.join("hosts"), others.folder.join("secret"));
        write_privately(&hosts, &(setting.addresses.join("\n") + "\n")).map_err(said)?;
        write_privately(&secret, &hex[16..]).map_err(said)?;
        setting.secret = Some(Secret::read(&secret)?);
        let program = std::env::current_exe().map_err(said)?;
        for process in 1..processes {
            let child = Command::new(&program)
                .args(without_options(std::env::args().skip(1), &OF_PROCESS))
                .args(["--sharing", &processes.to_string()])
                .arg("--hosts")
                .arg(&hosts)
                .args(["--process", &process.to_string(), "--secret"])
                .arg(&secret)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(fs::File::create(others.said(process)).map_err(said)?)
                .spawn()
                .map_err(said)?;
            others.children.push(child);
        }
        Ok(others)
    }
}

impl Others {
    /// The file with what a process says.
    fn said(&self, process: usize) -> PathBuf {
        self.folder.join(format!("said-{process}"))
    }

    /// If it has gone wrong, tells what they say of it.
    fn end(mut self, is_well: bool) {
        self.wait();
        for process in (1..=self.children.len()).filter(|_| !is_well) {
            let said = fs::read_to_string(self.said(process)).unwrap_or_default();
            said.lines().for_each(|line| errln!("process {process}: {line}"));
        }
    }

    /// They have heard the same end as this process; one that has not is ended.
    fn wait(&mut self) {
        for child in &mut self.children {
            for _ in 0..100 {
                if !matches!(child.try_wait(), Ok(None)) {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        self.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A port that is free now, and that no connection is given by chance meanwhile: it is below those (RFC 6335, and what Linux does). Whoever takes it nevertheless makes this fail, not wrong.
fn free_port() -> std::io::Result<TcpListener> {
    let random = || 16_384 + (RandomState::new().hash_one(0) % 16_384) as u16;
    let mut tried = TcpListener::bind(("127.0.0.1", random()));
    for _ in 0..100 {
        if tried.is_ok() {
            break;
        }
        tried = TcpListener::bind(("127.0.0.1", random()));
    }
    tried
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(unix)]
fn write_privately(file: &Path, text: &str) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    file.write_all(text.as_bytes())
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> std::io::Result<()> {
    fs::create_dir(folder)
}

#[cfg(not(unix))]
fn write_privately(file: &Path, text: &str) -> std::io::Result<()> {
    fs::write(file, text)
}
