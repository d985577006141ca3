//! The file that lists where the processes are: `address:port`, one a line. The first is process 0.
//!
//! What follows a `#` is a comment; empty lines do not count.

use std::fmt;
use std::path::Path;

/// What is wrong with such a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostsError {
    /// The file's name.
    pub file: String,
    /// The line, from 1 on; 0 if no line is to blame.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for HostsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(out, "{}: {}", self.file, self.what),
            line => write!(out, "{}:{line}: {}", self.file, self.what),
        }
    }
}

impl std::error::Error for HostsError {}

/// Reads a file of hosts.
pub fn read(path: &Path) -> Result<Vec<String>, HostsError> {
    let file = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text, &file),
        Err(error) => Err(HostsError { file, line: 0, what: error.to_string() }),
    }
}

/// The addresses in a text, which is called `file` where something is wrong.
pub fn parse(text: &str, file: &str) -> Result<Vec<String>, HostsError> {
    let error = |line, what: String| HostsError { file: file.to_string(), line, what };
    let mut addresses: Vec<(String, usize)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let address = line.split_once('#').map_or(line, |(before, _)| before).trim();
        if address.is_empty() {
            continue;
        }
        check(address).map_err(|what| error(number, what))?;
        if let Some((_, before)) = addresses.iter().find(|(other, _)| other == address) {
            return Err(error(number, format!("{address} is in line {before} already")));
        }
        addresses.push((address.to_string(), number));
    }
    if addresses.is_empty() {
        return Err(error(0, "names no process".to_string()));
    }
    Ok(addresses.into_iter().map(|(address, _)| address).collect())
}

/// Names are looked up later; here only the form counts.
fn check(address: &str) -> Result<(), String> {
    let Some((host, port)) = address.rsplit_once(':') else {
        return Err(format!("'{address}' has no port: expected address:port"));
    };
    if !port.parse::<u16>().is_ok_and(|port| port > 0) {
        return Err(format!("'{port}' is no port: expected a number from 1 to 65535"));
    }
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    if host.is_empty()
        || host.contains(char::is_whitespace)
        || (host.contains(':') && !is_bracketed)
    {
        return Err(format!(
            "'{host}' is no address: expected a name, an IPv4 address, or an IPv6 address in brackets"
        ));
    }
    Ok(())
}
