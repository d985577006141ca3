//! Who is at the other end, and whether it is about the same thing.
//!
//! ```text
//!  dialer                              listener
//!    hello: magic, protocol, from, to, nonce ─►
//!    ◄─ hello, and its proof: HMAC(secret, "listener", both hellos)
//!    proof: HMAC(secret, "dialer", both hellos) ─►
//!    terms: version, numbers, subject ◄──► terms
//!    ◄─ welcome, or why not
//! ```
//!
//! Both numbers that were drawn are in each proof, and so is the role: a proof is of no use in another conversation, nor when it is sent back. Terms
//! are told only to those who have proved themselves. Whoever fails before that is a *stranger*, which may be anybody: it is turned away, and changes nothing. Whoever
//! knows the secret and differs in terms is one of us who was started in another way: an error.

use crate::Setting;
use crate::timed::Timed;
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::time::Instant;

const MAGIC: &[u8; 8] = b"lariat\r\n";
/// Changes with whatever is on the wire before terms are compared.
const PROTOCOL: u32 = 1;
/// Magic, protocol, from, to, nonce.
const HELLO: usize = 8 + 4 + 4 + 4 + 32;
/// Terms and reasons are short.
const LONGEST: usize = 64 << 10;
const WELCOME: u8 = 1;
const REFUSED: u8 = 2;

/// Why there is no connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum No {
    /// Anybody. The others are still waited for.
    Stranger(String),
    /// One of us, who cannot take part.
    Differs(String),
}

impl From<io::Error> for No {
    fn from(error: io::Error) -> No {
        No::Stranger(match error.kind() {
            ErrorKind::UnexpectedEof => "left in the middle of the handshake".to_string(),
            ErrorKind::TimedOut | ErrorKind::WouldBlock => "did not say enough in time".to_string(),
            ErrorKind::InvalidData => "sent what is too long".to_string(),
            _ => error.to_string(),
        })
    }
}

/// What is told to whoever knows the secret: names and values, which all must share.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) setting: Setting,
    values: Vec<(String, String)>,
}

impl Terms {
    pub(crate) fn new(setting: &Setting) -> Terms {
        let ours = [
            ("version of lariat", env!("CARGO_PKG_VERSION").to_string()),
            ("number of processes", setting.processes().to_string()),
            ("number of workers a process", setting.workers.to_string()),
            ("window", setting.window.to_string()),
        ];
        let ours = ours.map(|(name, value)| (name.to_string(), value));
        let values = ours.into_iter().chain(setting.subject.iter().cloned()).collect();
        Terms { setting: setting.clone(), values }
    }

    fn hello(&self, to: usize) -> io::Result<[u8; HELLO]> {
        let mut hello = [0; HELLO];
        hello[..8].copy_from_slice(MAGIC);
        hello[8..12].copy_from_slice(&PROTOCOL.to_le_bytes());
        hello[12..16].copy_from_slice(&(self.setting.process as u32).to_le_bytes());
        hello[16..20].copy_from_slice(&(to as u32).to_le_bytes());
        rustix::rand::getrandom(&mut hello[20..], rustix::rand::GetRandomFlags::empty())?;
        Ok(hello)
    }

    /// What the role proves. Without a secret nobody is believed.
    fn text(role: &str, dialer: &[u8; HELLO], listener: &[u8; HELLO]) -> Vec<u8> {
        [role.as_bytes(), dialer, listener].concat()
    }

    fn prove(&self, text: &[u8]) -> Result<[u8; 32], No> {
        let secret = self.setting.secret.as_ref();
        secret.map(|secret| secret.prove(text)).ok_or_else(|| No::Differs("no secret".to_string()))
    }

    fn believe(&self, text: &[u8], proof: &[u8; 32]) -> Result<(), No> {
        match &self.setting.secret {
            Some(secret) if secret.is_proof(text, proof) => Ok(()),
            _ => Err(No::Stranger("does not know the secret".to_string())),
        }
    }

    /// Both tell their terms; whatever differs is said on both sides.
    fn compare(&self, other: &mut Timed<'_>, process: usize) -> Result<(), No> {
        other.write_long(&encode(&self.values))?;
        let theirs = decode(&other.read_long(LONGEST)?).ok_or_else(|| {
            No::Differs(format!("{}: terms that cannot be read", self.setting.name(process)))
        })?;
        let value_in = |values: &[(String, String)], name: &str| {
            let value =
                values.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
            value.map_or("nothing".to_string(), shorten)
        };
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in self.values.iter().chain(&theirs) {
            let find = |values: &[(String, String)]| {
                values.iter().find(|(other, _)| other == name).cloned()
            };
            if find(&self.values) != find(&theirs) && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return Ok(());
        }
        let each = names.iter().map(|name| {
            format!(
                "{name}: {} here, {} there",
                value_in(&self.values, name),
                value_in(&theirs, name)
            )
        });
        let each = each.collect::<Vec<_>>().join("; ");
        Err(No::Differs(format!("{} differs: {each}", self.setting.name(process))))
    }

    /// Says why somebody who knows the secret cannot take part.
    pub(crate) fn refuse(&self, stream: &TcpStream, until: Instant, why: &str) {
        let mut other = Timed::new(stream, until);
        // It may be gone; then it needs no reason.
        let _ = other.write(&[REFUSED]).and_then(|()| other.write_long(why.as_bytes()));
    }

    pub(crate) fn welcome(&self, stream: &TcpStream, until: Instant) -> io::Result<()> {
        Timed::new(stream, until).write(&[WELCOME])
    }
}

/// Values are for people: not too much of each.
fn shorten(value: &str) -> String {
    let short: String =
        value.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.chars().count() < value.chars().count() {
        format!("'{short}…'")
    } else {
        format!("'{short}'")
    }
}

fn encode(values: &[(String, String)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in values.iter().flat_map(|(name, value)| [name, value]) {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

fn decode(mut bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let mut values = Vec::new();
    let mut text = || -> Option<Option<String>> {
        if bytes.is_empty() {
            return Some(None);
        }
        let (length, rest) = bytes.split_first_chunk()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        bytes = rest;
        Some(Some(std::str::from_utf8(text).ok()?.to_string()))
    };
    while let Some(name) = text()? {
        values.push((name, text()??));
    }
    Some(values)
}

fn number(hello: &[u8; HELLO], at: usize) -> u32 {
    hello[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

fn protocol(hello: &[u8; HELLO]) -> Result<(), No> {
    if &hello[..8] != MAGIC {
        return Err(No::Stranger("does not speak our protocol".to_string()));
    }
    match number(hello, 8) {
        PROTOCOL => Ok(()),
        other => Err(No::Stranger(format!(
            "speaks version {other} of the protocol, this process version {PROTOCOL}"
        ))),
    }
}

/// The part of the one who connects, to process `to`.
pub(crate) fn dial(terms: &Terms, stream: &TcpStream, to: usize, until: Instant) -> Result<(), No> {
    let mut other = Timed::new(stream, until);
    let mine = terms.hello(to)?;
    other.write(&mine)?;
    let theirs = other.read()?;
    protocol(&theirs)?;
    terms.believe(&Terms::text("listener", &mine, &theirs), &other.read()?)?;
    other.write(&terms.prove(&Terms::text("dialer", &mine, &theirs))?)?;
    terms.compare(&mut other, to)?;
    match other.read()? {
        [WELCOME] => Ok(other.release()?),
        _ => {
            let why = other.read_long(LONGEST)?;
            let why = String::from_utf8_lossy(&why);
            Err(No::Differs(format!("{} refuses: {why}", terms.setting.name(to))))
        }
    }
}

/// The part of the one who listens: which process has come. It is still to be welcomed, or refused.
pub(crate) fn answer(terms: &Terms, stream: &TcpStream, until: Instant) -> Result<usize, No> {
    let mut other = Timed::new(stream, until);
    let theirs = other.read()?;
    if &theirs[..8] != MAGIC {
        return protocol(&theirs).map(|()| 0);
    }
    let from = number(&theirs, 12) as usize;
    let mine = terms.hello(from)?;
    other.write(&mine)?;
    protocol(&theirs)?;
    other.write(&terms.prove(&Terms::text("listener", &theirs, &mine))?)?;
    terms.believe(&Terms::text("dialer", &theirs, &mine), &other.read()?)?;
    terms.compare(&mut other, from)?;
    let me = terms.setting.process;
    let why = if number(&theirs, 16) as usize != me {
        format!("this is process {me}, not {}", number(&theirs, 16))
    } else if from <= me || from >= terms.setting.processes() {
        format!("process {me} does not wait for a process {from}")
    } else {
        return Ok(from);
    };
    terms.refuse(stream, until, &why);
    Err(No::Stranger(format!("was refused: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;
    use std::net::TcpListener;
    use std::time::Duration;

    fn terms(process: usize, secret: &str) -> Terms {
        let addresses = (0..3).map(|n| format!("host{n}:1")).collect();
        let secret = Some(Secret::new(secret.as_bytes()).unwrap());
        let subject = vec![("model".to_string(), "a".to_string())];
        Terms::new(&Setting { addresses, process, secret, subject, ..Setting::alone(1) })
    }

    /// Both sides of a handshake; who has come is welcome.
    fn shake(dialer: &Terms, listener: &Terms, to: usize) -> (Result<(), No>, Result<usize, No>) {
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = port.local_addr().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        std::thread::scope(|scope| {
            let dialed =
                scope.spawn(move || dial(dialer, &TcpStream::connect(address).unwrap(), to, until));
            let stream = port.accept().unwrap().0;
            let answered = answer(listener, &stream, until);
            if answered.is_ok() {
                listener.welcome(&stream, until).unwrap();
            }
            drop(stream);
            (dialed.join().unwrap(), answered)
        })
    }

    const SECRET: &str = "0123456789abcdef";

    #[test]
    fn who_agrees_is_welcome() {
        assert_eq!(shake(&terms(2, SECRET), &terms(0, SECRET), 0), (Ok(()), Ok(2)));
    }

    #[test]
    fn who_does_not_know_the_secret_is_a_stranger_to_both() {
        let (dialed, answered) = shake(&terms(1, SECRET), &terms(0, "another secret!!"), 0);
        assert_eq!(dialed, Err(No::Stranger("does not know the secret".to_string())));
        assert!(matches!(answered, Err(No::Stranger(_))), "{answered:?}");
    }

    #[test]
    fn what_differs_is_said_on_both_sides() {
        let mut other = terms(1, SECRET);
        other.values[0].1 = "9.9.9".to_string();
        other.values[4].1 = "b".repeat(100);
        let (dialed, answered) = shake(&other, &terms(0, SECRET), 0);
        let long = format!("'{}…'", "b".repeat(60));
        let here = env!("CARGO_PKG_VERSION");
        let say = |process, a: &str, b: &str, c: &str, d: &str| {
            let what = format!(
                "process {process} (host{process}:1) differs: version of lariat: '{a}' here, '{b}' there; model: {c} here, {d} there"
            );
            No::Differs(what)
        };
        assert_eq!(dialed, Err(say(0, "9.9.9", here, &long, "'a'")));
        assert_eq!(answered, Err(say(1, here, "9.9.9", "'a'", &long)));
    }

    #[test]
    fn who_is_at_the_wrong_place_is_refused() {
        let (dialed, answered) = shake(&terms(2, SECRET), &terms(1, SECRET), 0);
        assert_eq!(
            dialed,
            Err(No::Differs("process 0 (host0:1) refuses: this is process 1, not 0".to_string()))
        );
        assert_eq!(
            answered,
            Err(No::Stranger("was refused: this is process 1, not 0".to_string()))
        );
        let (dialed, _) = shake(&terms(0, SECRET), &terms(1, SECRET), 1);
        let why = "process 1 (host1:1) refuses: process 1 does not wait for a process 0";
        assert_eq!(dialed, Err(No::Differs(why.to_string())));
    }

    #[test]
    fn terms_are_read_back_and_nothing_else_is() {
        let values = vec![("a".to_string(), "é".to_string()), (String::new(), "b".to_string())];
        let bytes = encode(&values);
        assert_eq!(decode(&bytes), Some(values));
        assert!((1..bytes.len()).filter(|n| *n != 11).all(|n| decode(&bytes[..n]).is_none()));
        assert_eq!(decode(&[0xFF; 8]), None);
    }
}
