//! What a process of a run is told.

use crate::Secret;
use std::time::Duration;

/// One process of a run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where all processes listen, in the same order for all. With fewer than two there are no sockets.
    pub addresses: Vec<String>,
    /// Which of them this process is.
    pub process: usize,
    /// Workers in each process.
    pub workers: usize,
    /// Who knows it may take part. With one process it is not looked at.
    pub secret: Option<Secret>,
    /// What is done, in parts with names ("model", "property", "options"). Where these differ, all processes end with an error that names the part and
    /// shows both values: so a large part is given by a name or a hash.
    pub subject: Vec<(String, String)>,
    /// How long others are waited for.
    pub limits: Limits,
    /// So many bytes may wait at another worker before a worker may not send.
    pub window: usize,
}

/// How long others are waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Until all have come.
    pub start: Duration,
    /// Without a sign of life.
    pub silence: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { start: Duration::from_secs(10), silence: Duration::from_secs(5) }
    }
}

impl Setting {
    /// Workers in this process alone.
    pub fn alone(workers: usize) -> Self {
        Setting {
            addresses: Vec::new(),
            process: 0,
            workers,
            secret: None,
            subject: Vec::new(),
            limits: Limits::default(),
            window: 1 << 20,
        }
    }

    pub(crate) fn processes(&self) -> usize {
        self.addresses.len().max(1)
    }

    /// A process as people are told of it.
    pub(crate) fn name(&self, process: usize) -> String {
        match self.addresses.get(process) {
            Some(address) => format!("process {process} ({address})"),
            None => format!("process {process}"),
        }
    }

    /// Whether it makes sense.
    pub(crate) fn check(&self) -> Result<(), String> {
        let processes = self.processes();
        if self.process >= processes {
            return Err(format!(
                "there is no process {}: processes are 0 to {}",
                self.process,
                processes - 1
            ));
        }
        if self.workers == 0 {
            return Err("a process needs a worker".to_string());
        }
        if processes > 1 && self.secret.is_none() {
            return Err("processes on several machines need a secret".to_string());
        }
        if self.limits.silence < Duration::from_millis(200) {
            return Err("a limit of silence below 200 ms would end healthy runs".to_string());
        }
        Ok(())
    }
}
