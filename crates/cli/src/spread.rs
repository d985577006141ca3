//! A command whose searches are spread over several processes.
//!
//! Every worker of every process runs the whole command, each with its own way to the others; they ask the same and are told the same. One of them speaks: the first worker of process 0.

use std::cell::{Cell, RefCell};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use lariat_cluster::{Secret, Setting, hosts};
use lariat_core::Exchange;
use lariat_core::exchange::relay::relay;
use lariat_verify::Spread;

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
}

/// Those of its options that have a value: processes differ in them.
const OWN: [&str; 4] = ["--processes", "--hosts", "--process", "--secret"];

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
        self.processes.is_some() || self.hosts.is_some()
    }

    /// What is wrong with it, beside what the command knows.
    pub(crate) fn complaint(&self, model: &Path) -> Option<String> {
        if self.free && !self.is_given() {
            return Some("--free has no effect without --processes or --hosts".to_owned());
        }
        let is_read_once = self.is_given() && model == Path::new("-");
        is_read_once
            .then(|| "several processes cannot all read the model from standard input".to_owned())
    }

    /// Runs a command: by itself, or by all workers of this process.
    pub(crate) fn run(
        &self,
        model: &Path,
        threads: Option<usize>,
        command: impl Fn() -> Exit + Sync,
    ) -> Exit {
        if !self.is_given() {
            return command();
        }
        let workers = threads.unwrap_or(1);
        match self.processes {
            Some(processes) => self.run_here(usize::from(processes), workers, model, command),
            None => match self.setting(workers, model) {
                Ok(setting) => self.take_part(&setting, command),
                Err(message) => input::refuse(&message),
            },
        }
    }

    fn setting(&self, workers: usize, model: &Path) -> Result<Setting, String> {
        let (Some(file), Some(secret)) = (&self.hosts, &self.secret) else {
            return Err("--hosts, --process and --secret belong together".to_owned());
        };
        let addresses = hosts::read(file).map_err(|error| error.to_string())?;
        let secret = Some(Secret::read(secret)?);
        let process = self.process.unwrap_or(0);
        let subject = subject(model)?;
        Ok(Setting { addresses, process, secret, subject, ..Setting::alone(workers) })
    }

    fn take_part(&self, setting: &Setting, command: impl Fn() -> Exit + Sync) -> Exit {
        let work = |exchange: &mut dyn Exchange, number: usize| {
            let speaks = number == 0;
            let is_silent = (!speaks || setting.process > 0, !speaks);
            work(exchange, self.free, is_silent, &command)
        };
        match lariat_cluster::run(setting, work) {
            Ok(exits) if setting.process == 0 => exits[0],
            Ok(_) => {
                errln!("process {}: done; process 0 reports", setting.process);
                Exit::Holds
            }
            Err(broken) => {
                errln!("inconclusive: {broken}");
                Exit::Inconclusive
            }
        }
    }

    /// This process is the first; it starts the others.
    fn run_here(
        &self,
        processes: usize,
        workers: usize,
        model: &Path,
        command: impl Fn() -> Exit + Sync,
    ) -> Exit {
        let begun = subject(model).and_then(|subject| {
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
                let exit = self.take_part(&setting, command);
                drop(others);
                exit
            }
            Err(message) => input::refuse(&message),
        }
    }
}

/// One worker's command.
fn work(
    exchange: &mut dyn Exchange,
    is_free: bool,
    is_silent: (bool, bool),
    command: &(impl Fn() -> Exit + Sync),
) -> Exit {
    let (relay, served) = relay(exchange);
    std::thread::scope(|scope| {
        let at_work = move || {
            CURRENT.set(Some(Spread::new(relay, is_free)));
            SILENT.set(is_silent);
            let exit = bug::guarded(|| Ok(command())).unwrap_or_else(|exit| exit);
            CURRENT.take();
            exit
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, at_work);
        let thread = thread.expect("a thread can be started");
        served.serve(exchange);
        thread.join().unwrap_or(Exit::InternalError)
    })
}

/// What all processes must agree on: the model, and all options but those that tell processes apart.
fn subject(model: &Path) -> Result<Vec<(String, String)>, String> {
    let (name, text) = input::read(model)?;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let given = std::env::args().skip(1).filter(|argument| Path::new(argument) != model);
    let options = without_own(given).join(" ");
    let model = format!("{name} {:016x}", hasher.finish());
    Ok(vec![("model".to_owned(), model), ("options".to_owned(), options)])
}

/// Arguments without those of this module.
fn without_own(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let (mut kept, mut is_value) = (Vec::new(), false);
    for argument in arguments {
        let is_own = OWN.contains(&argument.as_str());
        let has_value = OWN.iter().any(|own| argument.starts_with(&format!("{own}=")));
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
        // The ports are free now; whoever takes one of them meanwhile makes this fail, not wrong.
        let listeners: Result<Vec<_>, _> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
        let addresses = listeners.map_err(said)?;
        let addresses: Result<Vec<_>, _> = addresses.iter().map(TcpListener::local_addr).collect();
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
                .args(without_own(std::env::args().skip(1)))
                .arg("--hosts")
                .arg(&hosts)
                .args(["--process", &process.to_string(), "--secret"])
                .arg(&secret)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .map_err(said)?;
            others.children.push(child);
        }
        Ok(others)
    }
}

impl Drop for Others {
    /// They have heard the same end as this process; one that has not is ended.
    fn drop(&mut self) {
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
        let _ = fs::remove_dir_all(&self.folder);
    }
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
