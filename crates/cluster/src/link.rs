//! A connection with another process: bytes in frames, so that signs of life and the last word go between them.
//!
//! Whoever reads and writes here never sees an error: timely's threads would panic. A fault is noted, and the thread stays where it is until the process ends. A clean end
//! is a frame; a connection that ends without it is broken.

use crate::Limits;
use crate::health::Health;
use rustix::net::{SendFlags, send, sockopt};
use std::io::{self, BufReader, ErrorKind, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

/// A sign of life.
const BEAT: u8 = 0;
/// A length of four bytes, and so many bytes.
const DATA: u8 = 1;
/// Nothing follows, and all is well.
const END: u8 = 2;
/// A length of four bytes, and a text: why the other process gives up.
const LAST_WORD: u8 = 3;
/// No frame is longer; more is written in several.
const LONGEST: usize = 1 << 20;
/// No last word is longer.
const LONGEST_WORD: usize = 1 << 10;

/// Another process, as all threads know it.
#[derive(Debug)]
pub(crate) struct Peer {
    /// With its address, for people.
    pub(crate) name: String,
    stream: TcpStream,
    health: Arc<Health>,
    /// Whoever writes a frame has it; whether the end was written.
    writer: Mutex<bool>,
    /// When something came, on the clock of `Health::awake`: microseconds.
    heard: AtomicU64,
    /// The other process has ended well.
    has_ended: AtomicBool,
}

impl Peer {
    pub(crate) fn new(
        name: String,
        stream: TcpStream,
        limits: &Limits,
        health: &Arc<Health>,
    ) -> io::Result<Peer> {
        watch(&stream, limits.silence)?;
        Ok(Peer {
            name,
            stream,
            health: health.clone(),
            writer: Mutex::new(false),
            heard: AtomicU64::new(0),
            has_ended: AtomicBool::new(false),
        })
    }

    /// For how long nothing has come, though something should have.
    pub(crate) fn silence(&self) -> Duration {
        if self.has_ended.load(Relaxed) {
            return Duration::ZERO;
        }
        let heard = Duration::from_micros(self.heard.load(Relaxed));
        self.health.awake().saturating_sub(heard)
    }

    /// A sign of life, unless something is being written: that is one, too. Never waits.
    pub(crate) fn beat(&self) {
        self.send_now(&[BEAT]);
    }

    /// Tells why this process gives up, if there is room for it: whoever does not read is not waited for, nor is a write that takes longer than a moment.
    pub(crate) fn last_word(&self, why: &str) {
        let mut end = why.len().min(LONGEST_WORD);
        while !why.is_char_boundary(end) {
            end -= 1;
        }
        let mut frame = vec![LAST_WORD];
        frame.extend((end as u32).to_le_bytes());
        frame.extend(&why.as_bytes()[..end]);
        for _ in 0..50 {
            if self.send_now(&frame) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether nobody else was writing.
    fn send_now(&self, frame: &[u8]) -> bool {
        let writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(TryLockError::Poisoned(writer)) => writer.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        if !*writer {
            // No room: the other end does not read, which shows in other ways. Gone: its reader says so.
            let _ = send(&self.stream, frame, SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
        }
        true
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut head = [DATA, 0, 0, 0, 0];
        head[1..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        let mut written = loop {
            match (&self.stream).write_vectored(&[IoSlice::new(&head), IoSlice::new(bytes)]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                written => break written?,
            }
        };
        if written < head.len() {
            (&self.stream).write_all(&head[written..])?;
            written = head.len();
        }
        (&self.stream).write_all(&bytes[written - head.len()..])
    }

    fn end(&self) -> io::Result<()> {
        let mut has_ended = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        *has_ended = true;
        (&self.stream).write_all(&[END])?;
        self.stream.shutdown(Shutdown::Write)
    }

    fn alive(&self) {
        self.heard.store(self.health.awake().as_micros() as u64, Relaxed);
    }

    /// Notes a fault, and never returns.
    fn stay(&self, what: &dyn std::fmt::Display, is_told: bool) -> ! {
        self.health.note(
            if is_told { what.to_string() } else { format!("{}: {what}", self.name) },
            is_told,
        );
        loop {
            std::thread::park();
        }
    }
}

/// One end of a connection, to read from or to write to.
#[derive(Debug)]
pub(crate) struct Link {
    peer: Arc<Peer>,
    reader: BufReader<TcpStream>,
    /// Bytes of the frame at hand that are still to come.
    left: usize,
}

impl Link {
    pub(crate) fn new(peer: Arc<Peer>) -> io::Result<Link> {
        let reader = BufReader::with_capacity(64 << 10, peer.stream.try_clone()?);
        Ok(Link { peer, reader, left: 0 })
    }

    pub(crate) fn again(&self) -> io::Result<Link> {
        Link::new(self.peer.clone())
    }

    pub(crate) fn end(&self) {
        if let Err(error) = self.peer.end() {
            self.peer.stay(&error, false);
        }
    }

    fn get<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => bytes,
            Err(error) => self.lost(&error),
        }
    }

    fn length(&mut self, most: usize) -> usize {
        match u32::from_le_bytes(self.get()) as usize {
            length if (1..=most).contains(&length) => length,
            _ => self.peer.stay(&"sent what is no frame", false),
        }
    }

    fn lost(&self, error: &io::Error) -> ! {
        match error.kind() {
            ErrorKind::UnexpectedEof => {
                self.peer.stay(&"is gone, the connection was closed", false)
            }
            _ => self.peer.stay(&format_args!("the connection is lost: {error}"), false),
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let [kind] = self.get();
            self.peer.alive();
            match kind {
                BEAT => {}
                DATA => self.left = self.length(LONGEST),
                END => {
                    self.peer.has_ended.store(true, Relaxed);
                    return Ok(0);
                }
                LAST_WORD => {
                    let mut why = vec![0; self.length(LONGEST_WORD)];
                    if let Err(error) = self.reader.read_exact(&mut why) {
                        self.lost(&error);
                    }
                    self.peer.stay(&String::from_utf8_lossy(&why), true);
                }
                _ => self.peer.stay(&"sent what is no frame", false),
            }
        }
        let most = buffer.len().min(self.left);
        loop {
            match self.reader.read(&mut buffer[..most]) {
                Ok(0) => self.lost(&ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    self.peer.alive();
                    self.left -= n;
                    return Ok(n);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.lost(&error),
            }
        }
    }
}

impl Write for Link {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let bytes = &buffer[..buffer.len().min(LONGEST)];
        if !bytes.is_empty()
            && let Err(error) = self.peer.write(bytes)
        {
            self.lost(&error);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The system watches as well: what is not acknowledged, or not answered, for so long ends the connection.
fn watch(stream: &TcpStream, limit: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    sockopt::set_socket_keepalive(stream, true)?;
    let second = Duration::from_secs(1);
    sockopt::set_tcp_keepidle(stream, second)?;
    sockopt::set_tcp_keepintvl(stream, second)?;
    sockopt::set_tcp_keepcnt(stream, limit.as_secs().clamp(2, 100) as u32)?;
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, limit.as_millis().min(u128::from(u32::MAX)) as u32)?;
    Ok(())
}
