//! An answer, written until a deadline.

use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What is answered.
#[derive(Debug)]
pub struct Response {
    /// As HTTP knows it.
    pub status: u16,
    content_type: &'static str,
    body: Vec<u8>,
}

/// Everything comes from here, and nothing runs that is not a file of the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

impl Response {
    /// JSON.
    pub fn json(status: u16, value: &Value) -> Response {
        let body = value.to_string().into_bytes();
        Response { status, content_type: "application/json; charset=utf-8", body }
    }

    /// A file of the page, or a picture.
    pub fn file(content_type: &'static str, body: impl Into<Vec<u8>>) -> Response {
        Response { status: 200, content_type, body: body.into() }
    }

    /// A sentence about what is wrong; `code` is for programs.
    pub fn error(status: u16, code: &str, message: &str) -> Response {
        Response::json(status, &json!({ "error": { "code": code, "message": message } }))
    }

    /// Writes all of it. A client that takes too long is left.
    pub(super) fn write(
        &self,
        stream: &TcpStream,
        time: Duration,
        is_last: bool,
    ) -> std::io::Result<()> {
        let connection = if is_last { "close" } else { "keep-alive" };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {connection}\r\n\
             Cache-Control: no-store\r\nContent-Security-Policy: {POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nX-Frame-Options: DENY\r\n\r\n",
            self.status,
            reason(self.status),
            self.content_type,
            self.body.len(),
        );
        let deadline = Instant::now() + time;
        put(stream, head.as_bytes(), deadline)?;
        put(stream, &self.body, deadline)
    }
}

fn put(stream: &TcpStream, mut bytes: &[u8], deadline: Instant) -> std::io::Result<()> {
    while !bytes.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match (&mut &*stream).write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
