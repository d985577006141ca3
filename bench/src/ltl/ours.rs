//! The lariat program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Verdict;

/// The program, and how long it may take.
#[derive(Clone, Debug)]
pub struct Lariat {
    pub program: PathBuf,
    pub limit_seconds: u64,
    /// Where it runs; it may write files there.
    pub folder: PathBuf,
}

impl Lariat {
    /// The program beside this one, where cargo puts it.
    pub fn beside_this() -> Option<PathBuf> {
        let folder = std::env::current_exe().ok()?.parent()?.to_owned();
        Some(folder.join("lariat")).filter(|program| program.is_file())
    }

    /// Checks a model (by its whole path); what lariat says if it refuses or fails.
    pub fn check(&self, model: &Path, args: &[&str]) -> Result<Verdict, String> {
        let limit = self.limit_seconds.to_string();
        let output = Command::new(&self.program)
            .args(["check", "--quiet", "--json", "--time-limit", &limit])
            .args(args)
            .arg(model)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        match output.status.code() {
            Some(0) => Ok(Verdict::Holds),
            Some(1) => Ok(Verdict::Violated),
            // An error of lariat ends with the same code, and says so.
            Some(3) if output.stderr.is_empty() => Ok(Verdict::Cut),
            _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}
