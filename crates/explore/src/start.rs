//! From a session to a page in the browser: a listener, a guard, an address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::api::Api;
use crate::http::{self, Guard};
use crate::session::Session;

/// Where the page is, and who may see it.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The port; 0 is any that is free.
    pub port: u16,
    /// Other machines may ask at this address of this machine, with a token.
    pub listen: Option<String>,
    /// For those who work on the page: its files are read from here each time.
    pub page: Option<PathBuf>,
}

/// Answers until the listener fails for good. `say` is told the address of the page, once it is there. An error
/// is a sentence.
pub fn serve(session: Session<'_>, place: &Place, say: impl FnOnce(&str)) -> Result<(), String> {
    let (listener, guard, address) = listen(place)?;
    let limits = http::Limits::default();
    let handler = Api::new(session, limits.body, place.page.clone());
    say(&address);
    let served = http::serve(&listener, &guard, &limits, &handler);
    served.map_err(|error| format!("the server ended: {error}"))
}

/// Loopback alone, unless the user says otherwise; then nobody is answered without the token.
fn listen(place: &Place) -> Result<(TcpListener, Guard, String), String> {
    let cannot = |error| format!("cannot listen: {error}");
    let Some(wanted) = &place.listen else {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, place.port));
        let listener = TcpListener::bind(address).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        return Ok((listener, Guard::loopback(port), format!("http://127.0.0.1:{port}/")));
    };
    let found = (wanted.as_str(), place.port).to_socket_addrs();
    let found = found.ok().and_then(|mut found| found.next());
    let address =
        found.ok_or_else(|| format!("--listen: `{wanted}` is no address of this machine"))?;
    let listener = TcpListener::bind(address).map_err(cannot)?;
    let port = listener.local_addr().map_err(cannot)?.port();
    let token = token()?;
    let name = wanted.parse::<IpAddr>().is_err().then(|| wanted.clone());
    let host = match address.ip() {
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    };
    let shown = format!("http://{}:{port}/#token={token}", name.clone().unwrap_or(host));
    Ok((listener, Guard::listening(port, name, token), shown))
}

/// 128 bits that nobody guesses.
fn token() -> Result<String, String> {
    let mut bytes = [0; 16];
    let filled = std::fs::File::open("/dev/urandom")
        .and_then(|mut source| std::io::Read::read_exact(&mut source, &mut bytes));
    filled.map_err(|error| format!("--listen needs random numbers for a token: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Starts the browser. If there is none, the address is on the terminal, and the error says why.
pub fn open(address: &str) -> Result<(), String> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.map(drop).map_err(|error| format!("{program} cannot be started: {error}"))
}
