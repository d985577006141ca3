//! A request, read until a deadline and up to a size.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::Instant;

use super::response::Response;
use super::server::Limits;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// To look.
    Get,
    /// To change.
    Post,
    /// To take away.
    Delete,
}

/// A whole request.
#[derive(Debug)]
pub struct Request {
    /// What is asked for.
    pub method: Method,
    /// Without the query; decoded.
    pub path: String,
    /// Names and values; decoded.
    pub query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    /// What comes with it.
    pub body: Vec<u8>,
    /// The connection is closed behind it.
    pub(super) is_last: bool,
}

impl Request {
    /// The only value of a header. One that is given twice with different values is no value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let (_, value) = values.next()?;
        values.all(|(_, other)| other == value).then_some(value)
    }

    /// Whether a header is there at all.
    pub fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// A value of the query.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no request.
pub(super) enum NoRequest {
    /// The client has gone, or said nothing for too long.
    Gone,
    /// It is told why, and the connection ends.
    Refused(Response),
}

/// Reads requests of one connection, one behind the other.
pub(super) struct Reader<'c> {
    stream: &'c TcpStream,
    limits: &'c Limits,
    /// Bytes that were read and belong to the next request.
    buffer: Vec<u8>,
}

/// Headers in one request.
const MAX_HEADERS: usize = 64;

impl<'c> Reader<'c> {
    pub(super) fn new(stream: &'c TcpStream, limits: &'c Limits) -> Reader<'c> {
        Reader { stream, limits, buffer: Vec::new() }
    }

    /// The next request. All of its head must be there in time, however slowly it drips.
    pub(super) fn next(&mut self) -> Result<Request, NoRequest> {
        let deadline = Instant::now() + self.limits.head_time;
        loop {
            if let Some((mut request, length, wanted)) = self.head()? {
                self.buffer.drain(..length);
                let deadline = Instant::now() + self.limits.body_time;
                while self.buffer.len() < wanted {
                    self.more(deadline, wanted - self.buffer.len())?;
                }
                request.body = self.buffer.drain(..wanted).collect();
                return Ok(request);
            }
            if self.buffer.len() >= self.limits.head {
                return Err(refused(431, "the head of the request is too large"));
            }
            self.more(deadline, self.limits.head - self.buffer.len())?;
        }
    }

    /// Reads what there is, at most so much.
    fn more(&mut self, deadline: Instant, most: usize) -> Result<(), NoRequest> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
            return Err(self.late());
        }
        let mut bytes = [0; 8192];
        let room = most.min(bytes.len());
        match (&mut &*self.stream).read(&mut bytes[..room]) {
            Ok(0) => Err(NoRequest::Gone),
            Ok(count) => {
                self.buffer.extend_from_slice(&bytes[..count]);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Err(self.late())
            }
            Err(_) => Err(NoRequest::Gone),
        }
    }

    /// Nothing at all is no reason to complain: connections are kept for later requests.
    fn late(&self) -> NoRequest {
        match self.buffer.is_empty() {
            true => NoRequest::Gone,
            false => refused(408, "the request took too long"),
        }
    }

    /// The head, its length, and the length of the body; none if there is more to come.
    fn head(&self) -> Result<Option<(Request, usize, usize)>, NoRequest> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(&self.buffer) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => {
                return Err(refused(431, "the request has too many headers"));
            }
            Err(_) => return Err(refused(400, "this is not HTTP/1.1")),
        };
        if length > self.limits.head {
            return Err(refused(431, "the head of the request is too large"));
        }
        let mut request = Request {
            method: match parsed.method {
                Some("GET") => Method::Get,
                Some("POST") => Method::Post,
                Some("DELETE") => Method::Delete,
                _ => return Err(refused(405, "only GET, POST and DELETE are known here")),
            },
            path: String::new(),
            query: Vec::new(),
            headers: Vec::new(),
            body: Vec::new(),
            is_last: parsed.version != Some(1),
        };
        for header in parsed.headers.iter() {
            let Ok(value) = std::str::from_utf8(header.value) else {
                return Err(refused(400, "a header is not text"));
            };
            request.headers.push((header.name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let target = parsed.path.unwrap_or("");
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let bad = || refused(400, "the address is malformed");
        request.path = decoded(path, false).ok_or_else(bad)?;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let pair = decoded(name, true).zip(decoded(value, true)).ok_or_else(bad)?;
            request.query.push(pair);
        }
        if request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")) {
            request.is_last = true;
        }
        // Two lengths, or a length and chunks, are how requests are smuggled.
        if request.has_header("transfer-encoding") {
            return Err(refused(411, "a body needs a Content-Length"));
        }
        let wanted = match request.has_header("content-length") {
            false if request.method == Method::Post => {
                return Err(refused(411, "a body needs a Content-Length"));
            }
            false => 0,
            true => {
                let text = request.header("content-length").unwrap_or("");
                let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                match text.parse::<usize>() {
                    Ok(length) if is_number && length <= self.limits.body => length,
                    Ok(_) if is_number => return Err(refused(413, "the body is too large")),
                    Err(_) if is_number => return Err(refused(413, "the body is too large")),
                    _ => return Err(refused(400, "the Content-Length is not a number")),
                }
            }
        };
        Ok(Some((request, length, wanted)))
    }
}

fn refused(status: u16, message: &str) -> NoRequest {
    NoRequest::Refused(Response::error(status, "bad-request", message))
}

/// Undoes `%20`; `+` is a space in a query.
fn decoded(text: &str, in_query: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || (rest.next()? as char).to_digit(16);
                (digit()? * 16 + digit()?) as u8
            }
            b'+' if in_query => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_decoded_or_refused() {
        assert_eq!(decoded("a%20b+c", false).as_deref(), Some("a b+c"));
        assert_eq!(decoded("a%20b+c", true).as_deref(), Some("a b c"));
        for bad in ["%", "%2", "%zz", "%ff"] {
            assert_eq!(decoded(bad, false), None, "{bad}");
        }
    }
}
