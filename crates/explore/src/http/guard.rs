//! Who may ask.
//!
//! A page of another site can make the browser send requests to a server on loopback, and by a name
//! of its own that suddenly means 127.0.0.1 ("DNS rebinding") it can even read the answers. So a
//! request must name this server by an address, not by a name that somebody else controls, and what
//! a browser says about the page that asks must be this page.

use std::net::IpAddr;

use super::request::{Method, Request};
use super::response::Response;

/// What a request must say.
#[derive(Clone, Debug)]
pub struct Guard {
    port: u16,
    /// A name that `--listen` gave.
    name: Option<String>,
    token: Option<String>,
    /// Any address of this machine is fine: there is a token.
    is_open: bool,
}

impl Guard {
    /// For a server that only this machine reaches.
    pub fn loopback(port: u16) -> Guard {
        Guard { port, name: None, token: None, is_open: false }
    }

    /// For a server that others reach, if they know the token.
    pub fn listening(port: u16, name: Option<String>, token: String) -> Guard {
        Guard { port, name, token: Some(token), is_open: true }
    }

    /// Why a request is refused.
    pub(crate) fn refusal(&self, request: &Request) -> Option<Response> {
        let Some(host) = request.header("host").filter(|host| self.is_here(host)) else {
            let message = "the Host of the request is not this server";
            return Some(Response::error(403, "wrong-host", message));
        };
        if request.has_header("origin") {
            let own = format!("http://{host}");
            if !request.header("origin").is_some_and(|origin| origin.eq_ignore_ascii_case(&own)) {
                let message = "the request comes from a page of another server";
                return Some(Response::error(403, "wrong-origin", message));
            }
        }
        // Browsers say so themselves, also where there is no Origin.
        let is_foreign = |site: &str| !matches!(site, "same-origin" | "none");
        let is_api = request.path.starts_with("/api/");
        if is_api && request.header("sec-fetch-site").is_some_and(is_foreign) {
            let message = "the request comes from a page of another server";
            return Some(Response::error(403, "wrong-origin", message));
        }
        if is_api && let Some(token) = &self.token {
            let given = request.header("authorization").and_then(|v| v.strip_prefix("Bearer "));
            if !given.is_some_and(|given| is_same(given.as_bytes(), token.as_bytes())) {
                let message = "the token is missing or wrong: use the address that was printed";
                return Some(Response::error(401, "no-token", message));
            }
        }
        // What a form of another page can send is none of these.
        if request.method == Method::Post
            && !request.header("content-type").is_some_and(|value| {
                let kind = value.split(';').next().unwrap_or("").trim();
                kind.eq_ignore_ascii_case("application/json")
            })
        {
            let message = "the body must be JSON, with Content-Type application/json";
            return Some(Response::error(415, "no-json", message));
        }
        None
    }

    fn is_here(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.port) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let address: Option<IpAddr> = bare.parse().ok();
        name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| self.is_open || address.is_loopback())
            || self.name.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Takes the same time wherever they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_known_by_its_addresses() {
        let guard = Guard::loopback(7070);
        for host in ["127.0.0.1:7070", "localhost:7070", "[::1]:7070", "LOCALHOST:7070"] {
            assert!(guard.is_here(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:7071",
            "evil.example:7070",
            "localhost.evil.example:7070",
            "10.0.0.1:7070",
            "127.0.0.1:7070:7070",
            "",
            ":7070",
            "127.0.0.1:",
        ] {
            assert!(!guard.is_here(host), "{host}");
        }
        let open = Guard::listening(7070, Some("box".to_owned()), "t".to_owned());
        assert!(open.is_here("10.0.0.1:7070") && open.is_here("box:7070"));
        assert!(!open.is_here("evil.example:7070"));
    }
}
