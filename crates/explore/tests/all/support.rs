//! A server for one test, and a client that says exactly what it is told to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use lariat_explore::api::Api;
use lariat_explore::given::Given;
use lariat_explore::http::{self, Guard};
use lariat_explore::session::{Limits, Session};
use lariat_verify::Reading;
use serde_json::Value;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
}

/// What a client got.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Got {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or("").to_owned()
    }
}

pub(crate) fn example(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(name)
}

impl Server {
    /// With limits that a test can reach. A worker is a program that crashes.
    pub(crate) fn start(model: &str, token: Option<&str>) -> Server {
        let given = Given::load(&example(model), &Reading::default()).expect("a model");
        let worker = Box::new(|| {
            let mut command = Command::new("sh");
            command.args(["-c", "read task; kill -SEGV $$"]);
            command
        });
        let session = Session::new(Box::new(given), Limits::default(), worker);
        let limits = http::Limits {
            clients: 8,
            body: 1 << 20,
            head_time: Duration::from_millis(400),
            body_time: Duration::from_millis(400),
            ..http::Limits::default()
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let guard = match token {
            None => Guard::loopback(address.port()),
            Some(token) => Guard::listening(address.port(), None, token.to_owned()),
        };
        let handler = Api::new(session, limits.body, None);
        std::thread::spawn(move || http::serve(&listener, &guard, &limits, &handler));
        Server { address }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        stream
    }

    /// Sends these bytes and reads until the server closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Got {
        let mut stream = self.connect();
        // A server that refuses may close before all is sent.
        let _ = stream.write_all(bytes);
        answer(&mut stream)
    }

    /// A request with these headers beside `Host`.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Got {
        let length = body.len();
        let host = self.address;
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(text.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Got {
        self.ask("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Got {
        self.ask("POST", path, "Content-Type: application/json\r\n", body)
    }

    /// The server is there, and answers. A client that the machine stops for a while is left as a slow one.
    pub(crate) fn is_well(&self) -> bool {
        (0..50).any(|_| {
            let is_well = self.get("/api/runs").status == 200;
            if !is_well {
                std::thread::sleep(Duration::from_millis(100));
            }
            is_well
        })
    }
}

/// What the server says until it closes; nothing is status 0.
pub(crate) fn answer(stream: &mut TcpStream) -> Got {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Got { status, head: head.to_owned(), body: body.to_owned() }
}
