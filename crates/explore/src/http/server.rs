//! Connections, each on a thread, at most so many.

use std::io::Read;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::guard::Guard;
use super::request::{NoRequest, Reader, Request};
use super::response::Response;

/// Bounds on what clients can take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request without its body.
    pub head: usize,
    /// Bytes of a body.
    pub body: usize,
    /// Connections at once.
    pub clients: usize,
    /// For a head, and between two requests of a connection.
    pub head_time: Duration,
    /// For a body.
    pub body_time: Duration,
    /// To take an answer.
    pub write_time: Duration,
    /// Requests of one connection.
    pub requests: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head: 16 << 10,
            body: 8 << 20,
            clients: 64,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(20),
            write_time: Duration::from_secs(30),
            requests: 10_000,
        }
    }
}

/// How long, and how often, a refused client is read from.
const LINGER: Duration = Duration::from_millis(500);
const MOST_LINGERED: usize = 2000;

/// Answers requests.
pub trait Handler: Send + Sync {
    /// The answer to a request that may be asked.
    fn answer(&self, request: &Request) -> Response;
}

/// Answers until the listener fails for good.
pub fn serve(
    listener: &TcpListener,
    guard: &Guard,
    limits: &Limits,
    handler: &dyn Handler,
) -> std::io::Result<()> {
    let clients = AtomicUsize::new(0);
    std::thread::scope(|scope| accept(scope, listener, guard, limits, handler, &clients))
}

fn accept<'scope>(
    scope: &'scope Scope<'scope, '_>,
    listener: &TcpListener,
    guard: &'scope Guard,
    limits: &'scope Limits,
    handler: &'scope dyn Handler,
    clients: &'scope AtomicUsize,
) -> std::io::Result<()> {
    let mut failures = 0;
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // A client that has gone already, or too many open files: others may still come.
            Err(error) if failures >= 100 => return Err(error),
            Err(_) => {
                failures += 1;
                std::thread::sleep(Duration::from_millis(50));
                continue;
            }
        };
        failures = 0;
        let taken = Taken::of(clients);
        if clients.load(Ordering::SeqCst) > limits.clients {
            let full = Response::error(503, "too-many-clients", "there are too many clients");
            // The answer fits into the socket's own buffer, so nobody is waited for.
            let _ = full.write(&stream, Duration::from_millis(100), true);
            continue;
        }
        let talk = move || {
            let _taken = taken;
            talk(&stream, guard, limits, handler);
        };
        // Without a thread, the connection is closed.
        let _ = std::thread::Builder::new().name("client".to_owned()).spawn_scoped(scope, talk);
    }
}

/// Counts a client as long as it is there, also if its thread panics.
struct Taken<'c>(&'c AtomicUsize);

impl<'c> Taken<'c> {
    fn of(clients: &'c AtomicUsize) -> Self {
        clients.fetch_add(1, Ordering::SeqCst);
        Taken(clients)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn talk(stream: &TcpStream, guard: &Guard, limits: &Limits, handler: &dyn Handler) {
    // Answers are written as a whole.
    let _ = stream.set_nodelay(true);
    let mut reader = Reader::new(stream, limits);
    for number in 1..=limits.requests {
        let (response, is_last) = match reader.next() {
            Ok(request) => {
                let is_last = request.is_last || number == limits.requests;
                (answer(guard, handler, &request), is_last)
            }
            Err(NoRequest::Refused(response)) => {
                if response.write(stream, limits.write_time, true).is_ok() {
                    linger(stream);
                }
                return;
            }
            Err(NoRequest::Gone) => return,
        };
        if response.write(stream, limits.write_time, is_last).is_err() || is_last {
            return;
        }
    }
}

/// A client that still sends would lose the answer if the connection were closed at once.
fn linger(stream: &TcpStream) {
    let deadline = Instant::now() + LINGER;
    let mut bytes = [0; 8192];
    let _ = stream.shutdown(Shutdown::Write);
    for _ in 0..MOST_LINGERED {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        if !matches!((&mut &*stream).read(&mut bytes), Ok(count) if count > 0) {
            return;
        }
    }
}

/// A request that makes a thread panic is an error of lariat, not the end of the server.
fn answer(guard: &Guard, handler: &dyn Handler, request: &Request) -> Response {
    if let Some(refusal) = guard.refusal(request) {
        return refusal;
    }
    catch_unwind(AssertUnwindSafe(|| handler.answer(request))).unwrap_or_else(|_| {
        Response::error(500, "bug", "an error of lariat: the terminal where it runs says more")
    })
}
