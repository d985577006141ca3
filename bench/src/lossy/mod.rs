//! Measurements of searches in bounded memory (docs/lossy.md, bench/lossy.md).
//!
//! - [`bitstate`]: beside Spin's bit-state search
//! - [`alarms`]: that a bit-state search never cries wolf
//! - [`swarm`]: how soon a swarm finds what an exact search finds late
//! - [`cache`]: less memory for more time

pub mod alarms;
pub mod bitstate;
pub mod cache;
pub mod swarm;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lariat_testing::repository;
use serde_json::Value;

/// A run of a program: what it printed, and how long it took.
pub struct Run {
    pub said: String,
    pub elapsed: f64,
    /// Of all its threads, user and system.
    pub cpu: f64,
}

/// Runs a program to its end, or until it has used so many seconds of processors: then it is asked
/// to stop, and tells how far it came. The machine may be shared, so processor time is what counts.
pub fn timed(program: &Path, args: &[String], folder: &Path, most: f64) -> Result<Run, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", program.display());
    let log = folder.join(format!("lariat-lossy-{}", std::process::id()));
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(File::create(&log).map_err(fail)?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(fail)?;
    let (mut cpu, mut was_asked) = (0.0, false);
    while child.try_wait().map_err(fail)?.is_none() {
        cpu = cpu_of(child.id()).unwrap_or(cpu);
        if cpu > most && !was_asked {
            was_asked = true;
            // Spin's verifier tells how far it came if it is interrupted, and only then. Others that
            // were started in the background are deaf to that.
            let signal = if program.ends_with("pan") { "-INT" } else { "-TERM" };
            Command::new("kill").args([signal, &child.id().to_string()]).status().map_err(fail)?;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let elapsed = started.elapsed().as_secs_f64();
    let said = std::fs::read_to_string(&log).map_err(fail)?;
    std::fs::remove_file(&log).map_err(fail)?;
    Ok(Run { said, elapsed, cpu })
}

/// Seconds of processors that all threads of a process have used so far.
fn cpu_of(process: u32) -> Option<f64> {
    // Linux counts hundredths for everybody.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, which may have blanks: the state is field 3, user and system time 14 and 15.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    // Nothing is told of one that has just ended.
    Some((ticks(11)? + ticks(12)?) / TICKS).filter(|&cpu| cpu > 0.0)
}

/// What lariat says about the safety of a model.
pub struct Ours {
    pub verdict: String,
    /// Why there is none.
    pub reason: String,
    pub states: u64,
    pub memory: u64,
    pub notes: String,
    pub run: Run,
}

impl Ours {
    /// What the report says about the array of bits.
    pub fn filling(&self) -> &str {
        let mut parts = self.reason.split(", ");
        parts.find_map(|part| part.split_once(" of the bits set")).map_or("", |(part, _)| part)
    }
}

/// The program, and how many seconds of processors a run may take.
#[derive(Clone, Copy)]
pub struct Lariat<'a> {
    pub program: &'a Path,
    pub most: f64,
}

/// Asks the program about a model of `bench/models` with its work set to `work`.
pub fn ask(lariat: Lariat<'_>, model: &str, work: u32, more: &[&str]) -> Result<Ours, String> {
    let model = path_of(model).display().to_string();
    let work = format!("-DWORK={work}");
    let usual = ["check", "--safety", "--json", "--no-save", "--quiet", &work];
    let args: Vec<String> =
        usual.iter().chain(more).chain([&model.as_str()]).map(|&arg| arg.to_owned()).collect();
    let run = timed(lariat.program, &args, &std::env::temp_dir(), lariat.most)?;
    let report: Value =
        serde_json::from_str(&run.said).map_err(|error| format!("{args:?}: {error}"))?;
    let safety = &report["properties"][0];
    let text = |name: &str| safety[name].as_str().unwrap_or_default().to_owned();
    let number = |name: &str| safety["statistics"][name].as_u64().unwrap_or(0);
    Ok(Ours {
        verdict: text("verdict"),
        reason: text("reason"),
        states: number("states"),
        memory: number("memory"),
        notes: safety["notes"][0].as_str().unwrap_or_default().to_owned(),
        run,
    })
}

/// Where a model is.
pub fn path_of(model: &str) -> PathBuf {
    repository().join("bench/models").join(format!("{model}.pml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_stopped_when_it_has_used_its_time() {
        let shell = |text: &str| {
            let args = ["-c".to_owned(), text.to_owned()];
            timed(Path::new("sh"), &args, &std::env::temp_dir(), 0.1).unwrap()
        };
        let run = shell("trap 'echo stopped; exit' TERM; while :; do :; done");
        assert_eq!(run.said, "stopped\n");
        assert!(run.cpu > 0.1);
        assert_eq!(shell("echo done").said, "done\n");
    }
}
