//! All processes come together: each connects to those before it in the list, and waits for those behind it.
//!
//! Every conversation has a thread and a deadline of its own, so a stranger that says nothing holds up nobody. Who was turned away is remembered, and told
//! if somebody is missing in the end: often that was the one. At last all tell each other that they have met all: nobody begins, and listens for
//! signs of life, while another still waits.

use crate::Setting;
use crate::handshake::{self, No, Terms};
use crate::timed::Timed;
use lariat_core::Broken;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// So long one conversation may take.
const HANDSHAKE: Duration = Duration::from_secs(2);
/// So many conversations at once; who comes then is sent away.
const CONVERSATIONS: usize = 64;
/// So many of those who were turned away are told of.
const TOLD: usize = 4;
const READY: u8 = 0x52;

enum News {
    /// A connection with this process stands.
    Dialed(usize, TcpStream),
    /// This process has come, and is to be welcomed.
    Came(usize, TcpStream),
    TurnedAway(String),
    Differs(String),
}

/// Connections with all others, in the order of processes.
pub(crate) fn meet(setting: &Setting) -> Result<Vec<Option<TcpStream>>, Broken> {
    let is_over = Arc::new(AtomicBool::new(false));
    let met = Meeting::new(setting, &is_over).and_then(Meeting::wait);
    // Dialers that are left give up.
    is_over.store(true, Relaxed);
    met.map_err(|what| Broken { what })
}

struct Meeting {
    terms: Arc<Terms>,
    until: Instant,
    links: Vec<Option<TcpStream>>,
    listener: Option<TcpListener>,
    conversations: Arc<AtomicUsize>,
    turned_away: Vec<String>,
    tell: Sender<News>,
    news: Receiver<News>,
}

impl Meeting {
    fn new(setting: &Setting, is_over: &Arc<AtomicBool>) -> Result<Meeting, String> {
        let terms = Arc::new(Terms::new(setting));
        let until = Instant::now() + setting.limits.start;
        let (tell, news) = channel();
        // The last in the list waits for nobody.
        let listener = match setting.process + 1 < setting.processes() {
            true => Some(listen(&setting.addresses[setting.process])?),
            false => None,
        };
        for to in 0..setting.process {
            let (terms, tell, is_over) = (terms.clone(), tell.clone(), is_over.clone());
            thread::spawn(move || dial(&terms, to, until, &tell, &is_over));
        }
        let links = (0..setting.processes()).map(|_| None).collect();
        let (turned_away, conversations) = (Vec::new(), Arc::default());
        Ok(Meeting { terms, until, links, listener, conversations, turned_away, tell, news })
    }

    fn wait(mut self) -> Result<Vec<Option<TcpStream>>, String> {
        let me = self.terms.setting.process;
        while let Some(missing) =
            (0..self.links.len()).find(|&p| p != me && self.links[p].is_none())
        {
            self.accept()?;
            match self.news.recv_timeout(Duration::from_millis(5)) {
                Ok(News::Dialed(process, stream)) => self.links[process] = Some(stream),
                Ok(News::Came(process, stream)) => self.came(process, stream),
                Ok(News::TurnedAway(who)) => {
                    if !self.turned_away.contains(&who) {
                        self.turned_away.push(who);
                    }
                }
                Ok(News::Differs(what)) => return Err(what),
                Err(_) if Instant::now() > self.until => return Err(self.missing(missing)),
                Err(_) => {}
            }
        }
        self.listener = None;
        self.ready()?;
        Ok(self.links)
    }

    /// Talks with whoever has connected.
    fn accept(&mut self) -> Result<(), String> {
        let Some(listener) = &self.listener else { return Ok(()) };
        loop {
            let (stream, from) = match listener.accept() {
                Ok(come) => come,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // Whoever it was is gone again, or there are no descriptors left: the limit of time decides.
                Err(_) => return Ok(()),
            };
            if self.conversations.fetch_add(1, Relaxed) >= CONVERSATIONS {
                self.conversations.fetch_sub(1, Relaxed);
                continue;
            }
            let (terms, tell, conversations) =
                (self.terms.clone(), self.tell.clone(), self.conversations.clone());
            let until = self.until.min(Instant::now() + HANDSHAKE);
            thread::spawn(move || {
                let answered = stream.set_nonblocking(false).map_err(No::from);
                let news = match answered.and_then(|()| handshake::answer(&terms, &stream, until)) {
                    Ok(process) => News::Came(process, stream),
                    Err(No::Stranger(what)) => News::TurnedAway(format!("{from} {what}")),
                    Err(No::Differs(what)) => News::Differs(what),
                };
                conversations.fetch_sub(1, Relaxed);
                // The meeting may be over.
                let _ = tell.send(news);
            });
        }
    }

    fn came(&mut self, process: usize, stream: TcpStream) {
        let until = Instant::now() + HANDSHAKE;
        if self.links[process].is_some() {
            let why = format!("process {process} is here already");
            self.terms.refuse(&stream, until, &why);
            self.turned_away.push(format!("a second process {process}"));
        } else if self.terms.welcome(&stream, until).is_ok()
            && Timed::new(&stream, until).release().is_ok()
        {
            self.links[process] = Some(stream);
        }
    }

    fn missing(&self, process: usize) -> String {
        let name = self.terms.setting.name(process);
        let limit = self.terms.setting.limits.start.as_secs_f64();
        let mut what = format!("{name} did not come within {limit} s");
        if !self.turned_away.is_empty() {
            what += "; turned away: ";
            what += &self.turned_away[..self.turned_away.len().min(TOLD)].join(", ");
        }
        what
    }

    /// Tells all that this process has met all, and waits until all have said so.
    fn ready(&self) -> Result<(), String> {
        let until = self.until.max(Instant::now()) + HANDSHAKE;
        let links =
            || self.links.iter().enumerate().filter_map(|(p, link)| Some((p, link.as_ref()?)));
        let gone = |process, what: &dyn std::fmt::Display| {
            format!("{} left before the start: {what}", self.terms.setting.name(process))
        };
        for (process, stream) in links() {
            Timed::new(stream, until).write(&[READY]).map_err(|error| gone(process, &error))?;
        }
        for (process, stream) in links() {
            let mut other = Timed::new(stream, until);
            let said = other.read().map_err(|error| gone(process, &error))?;
            if said != [READY] {
                return Err(gone(process, &"said something else"));
            }
            other.release().map_err(|error| gone(process, &error))?;
        }
        Ok(())
    }
}

fn listen(address: &str) -> Result<TcpListener, String> {
    let fail = |error| format!("cannot listen at {address}: {error}");
    let listener = TcpListener::bind(address).map_err(fail)?;
    listener.set_nonblocking(true).map_err(fail)?;
    Ok(listener)
}

/// Tries again and again: the other process may be started later, and strangers may sit at its address for a while.
fn dial(terms: &Terms, to: usize, until: Instant, tell: &Sender<News>, is_over: &AtomicBool) {
    let address = &terms.setting.addresses[to];
    while !is_over.load(Relaxed) && Instant::now() < until {
        let news = match connect(address, until) {
            Err(error) => News::TurnedAway(format!("{address} cannot be reached ({error})")),
            Ok(stream) => {
                match handshake::dial(terms, &stream, to, until.min(Instant::now() + HANDSHAKE)) {
                    Ok(()) => News::Dialed(to, stream),
                    Err(No::Stranger(what)) => News::TurnedAway(format!("{address} {what}")),
                    Err(No::Differs(what)) => News::Differs(what),
                }
            }
        };
        let is_done = !matches!(news, News::TurnedAway(_));
        if tell.send(news).is_err() || is_done {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn connect(address: &str, until: Instant) -> std::io::Result<TcpStream> {
    let mut last = ErrorKind::NotFound.into();
    for address in address.to_socket_addrs()? {
        let left = until.saturating_duration_since(Instant::now()).min(Duration::from_secs(1));
        match TcpStream::connect_timeout(&address, left.max(Duration::from_millis(1))) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
