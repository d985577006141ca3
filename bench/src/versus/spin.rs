//! Spin's answers: `spin -o1 -o2 -o3 -a` (no dead-variable, write-only or merging shortcuts),
//! `gcc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM`, then `pan`.

use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::Counts;

/// What Spin makes of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spin {
    /// Its parser refuses the file, with this line.
    Rejected(String),
    /// Its C compiler refuses what Spin made of it.
    DoesNotCompile,
    Ran {
        /// None if the search was cut.
        counts: Option<Counts>,
        /// `none`, `assertion violated`, …; None if the search was cut.
        verdict: Option<String>,
    },
}

/// A folder for the files of one run, gone at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// `name` is this program's own.
    pub(crate) fn new(name: &str) -> io::Result<Scratch> {
        let folder = std::env::temp_dir().join(format!("lariat-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Scratch(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind in a temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether Spin and its compiler are there.
pub fn is_installed() -> bool {
    let runs = |program: &str, arg: &str| {
        let mut command = Command::new(program);
        command.arg(arg).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    runs("spin", "-V") && runs("gcc", "--version")
}

/// Runs Spin on a file; each search may take `limit`.
pub fn run(model: &Path, number: usize, limit: Duration) -> io::Result<Spin> {
    let scratch = Scratch::new(&format!("versus-spin-{number}"))?;
    let folder = scratch.path();
    let model = model.canonicalize()?;
    // The translator and the compiler always end; on a busy machine that takes its time.
    let long = Duration::from_secs(600);

    let mut spin = Command::new("spin");
    spin.args(["-o1", "-o2", "-o3", "-a"]).arg(&model);
    let (status, said) = watched(&mut spin, folder, long)?;
    if !status.is_some_and(|status| status.success()) || !folder.join("pan.c").exists() {
        let mut lines = said.lines();
        let complaint = lines.find(|line| line.contains("rror")).unwrap_or("");
        let complaint = complaint.replace(&*model.to_string_lossy(), "…");
        return Ok(Spin::Rejected(complaint.trim().to_owned()));
    }
    let mut gcc = Command::new("gcc");
    gcc.args([
        "-O2",
        "-w",
        "-DSAFETY",
        "-DNOREDUCE",
        "-DNOCLAIM",
        "-DMEMLIM=2048",
        "-DVECTORSZ=16384",
    ]);
    gcc.args(["-o", "pan", "pan.c"]);
    let (status, _) = watched(&mut gcc, folder, long)?;
    match status {
        Some(status) if status.success() => {}
        Some(_) => return Ok(Spin::DoesNotCompile),
        None => return Ok(Spin::Ran { counts: None, verdict: None }),
    }
    let mut count = limited("./pan -E -A -c0 -m1000000", limit);
    let (_, said) = watched(&mut count, folder, 20 * limit)?;
    let counts = counts_of(&said);
    let mut check = limited("./pan -m1000000", limit);
    let (status, said) = watched(&mut check, folder, 20 * limit)?;
    let verdict =
        status.filter(|&status| !was_cut(status)).and_then(|status| verdict_of(&said, status));
    Ok(Spin::Ran { counts, verdict })
}

/// A command that may use so much time of a processor: on a busy machine the clock says little.
fn limited(command: &str, limit: Duration) -> Command {
    let mut shell = Command::new("sh");
    let seconds = limit.as_secs_f64().ceil();
    shell.arg("-c").arg(format!("ulimit -t {seconds}; {command}"));
    shell
}

/// Ended by the limit: SIGKILL or SIGXCPU, of the shell or as the shell tells it.
fn was_cut(status: ExitStatus) -> bool {
    let told = status.code().filter(|&code| code > 128).map(|code| code - 128);
    matches!(status.signal().or(told), Some(9 | 24))
}

/// Runs a command to its end or its time limit: status (none at the limit) and all output.
pub(crate) fn watched(
    command: &mut Command,
    folder: &Path,
    limit: Duration,
) -> io::Result<(Option<ExitStatus>, String)> {
    let log = folder.join("log");
    // To a file: a pipe that nobody reads would stop the command.
    let file = File::create(&log)?;
    command.stdout(file.try_clone()?).stderr(file).stdin(Stdio::null()).process_group(0);
    let mut child = command.current_dir(folder).spawn()?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > limit {
            // The whole group: gcc leaves its compiler behind.
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-KILL", "--", &group]).status()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let said = std::fs::read(log)?;
    Ok((status, String::from_utf8_lossy(&said).into_owned()))
}

/// The counts of a search that was not cut.
pub(crate) fn counts_of(said: &str) -> Option<Counts> {
    if is_cut(said) {
        return None;
    }
    let before = |words: &str| -> Option<u64> {
        let line = said.lines().find(|line| line.contains(words))?;
        let number: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(number as u64)
    };
    let states = before("states, stored")?;
    let matched = before("states, matched")?;
    let depth = said.split("depth reached ").nth(1)?.split(',').next()?.trim().parse().ok()?;
    Some(Counts { states, transitions: states + matched, depth })
}

fn is_cut(said: &str) -> bool {
    said.contains("max search depth too small")
        || said.contains("pan: reached -DMEMLIM bound")
        || said.contains("out of memory")
        || said.contains("Search not completed")
}

/// The states of a search that was complete and found nothing.
pub fn states_without_error(said: &str) -> Option<u64> {
    let counts = counts_of(said)?;
    said.contains("errors: 0").then_some(counts.states)
}

/// The first error, in Spin's words; `none` if the search was complete without one.
pub(crate) fn verdict_of(said: &str, status: ExitStatus) -> Option<String> {
    let error = said.lines().find_map(|line| line.strip_prefix("pan:1: "));
    match error {
        Some(error) if error.contains("assertion violated") => Some("assertion violated".into()),
        Some(error) if error.contains("invalid array index") => Some("assertion violated".into()),
        Some(error) if error.contains("invalid end state") => Some("invalid end state".into()),
        Some(error) if error.contains("out of memory") => None,
        Some(error) => Some(error.split(" (at depth").next().unwrap_or(error).to_owned()),
        None if !said.contains("states, stored") && !status.success() => Some("crash".into()),
        None if is_cut(said) => None,
        None => Some("none".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
State-vector 28 byte, depth reached 32, errors: 0
       55 states, stored
       44 states, matched
       99 transitions (= stored+matched)
";

    #[test]
    fn reads_the_verifiers_report() {
        let counts = Counts { states: 55, transitions: 99, depth: 32 };
        assert_eq!(counts_of(OUTPUT), Some(counts));
        let cut = format!("error: max search depth too small\n{OUTPUT}");
        assert_eq!(counts_of(&cut), None);
    }

    #[test]
    fn reads_the_first_error() {
        let verdict = |said: &str| verdict_of(said, ExitStatus::default());
        let said = format!("pan:1: invalid end state (at depth 14)\n{OUTPUT}");
        assert_eq!(verdict(&said), Some("invalid end state".into()));
        let said = format!("pan:1: assertion violated (x==1) (at depth 1)\n{OUTPUT}");
        assert_eq!(verdict(&said), Some("assertion violated".into()));
        assert_eq!(verdict(OUTPUT), Some("none".into()));
    }
}
