//! `lariat explore`: a page in the browser that shows runs of a model and asks about it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use lariat_explore::api::Api;
use lariat_explore::given::Given;
use lariat_explore::http::{self, Guard, Handler};
use lariat_explore::session::{Limits, Session};

use crate::arguments::reading;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::out;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A model: DVE if its name ends in .dve, else Promela
    model: PathBuf,
    #[command(flatten)]
    reading: reading::Args,
    /// Start the browser
    #[arg(long)]
    open: bool,
    /// The port; without it, any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Let other machines ask, too, at this address of this machine. Whoever knows the token that is
    /// printed then can see the model and have searches run here
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Read the files of the page from this folder at each request
    #[cfg(debug_assertions)]
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

impl Args {
    #[cfg(debug_assertions)]
    fn page(&self) -> Option<PathBuf> {
        self.page.clone()
    }

    #[cfg(not(debug_assertions))]
    fn page(&self) -> Option<PathBuf> {
        None
    }
}

pub(crate) fn run(args: &Args) -> Exit {
    if args.model == Path::new("-") {
        return input::refuse("explore needs a model in a file, not standard input");
    }
    let reading = args.reading.reading();
    let given = match Given::load(&args.model, &reading.how) {
        Ok(given) => given,
        Err(error) => return bug::tell(error),
    };
    reading.say(&given.model().sources, given.loaded().warnings());
    let (listener, guard, address) = match listen(args) {
        Ok(found) => found,
        Err(message) => return input::refuse(&message),
    };
    let limits = http::Limits::default();
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return input::refuse(&format!("lariat cannot find itself: {error}")),
    };
    let worker = Box::new(move || {
        let mut command = Command::new(&program);
        command.arg("explore-worker");
        command
    });
    let session = Arc::new(Session::new(Arc::new(given), Limits::default(), worker));
    let handler: Arc<dyn Handler> = Arc::new(Api::new(session, limits.body, args.page()));
    outln!("exploring {} at {address}", args.model.display());
    outln!("Ctrl-C ends it");
    out::flush();
    if args.open {
        open(&address);
    }
    match http::serve(&listener, &guard, &limits, &handler) {
        Ok(()) => Exit::Holds,
        Err(error) => input::refuse(&format!("the server ended: {error}")),
    }
}

/// Loopback alone, unless the user says otherwise; then nobody is answered without the token.
fn listen(args: &Args) -> Result<(TcpListener, Guard, String), String> {
    let cannot = |error| format!("cannot listen: {error}");
    let Some(wanted) = &args.listen else {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
        let listener = TcpListener::bind(address).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        return Ok((listener, Guard::loopback(port), format!("http://127.0.0.1:{port}/")));
    };
    let found = (wanted.as_str(), args.port).to_socket_addrs();
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

/// Starts the browser; if there is none, the address is on the terminal.
fn open(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        errln!("warning: {program} cannot be started: {error}");
    }
}
