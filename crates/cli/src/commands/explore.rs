//! `lariat explore`: a page in the browser that shows runs of a model and asks about it.

use std::path::{Path, PathBuf};
use std::process::Command;

use lariat_explore::given::Given;
use lariat_explore::session::{Limits, Session};
use lariat_explore::start::{self, Place};

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
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return input::refuse(&format!("lariat cannot find itself: {error}")),
    };
    let worker = Box::new(move || {
        let mut command = Command::new(&program);
        command.arg("explore-worker");
        command
    });
    let session = Session::new(Box::new(given), Limits::default(), worker);
    let place = Place { port: args.port, listen: args.listen.clone(), page: args.page() };
    let served = start::serve(session, &place, |address| {
        outln!("exploring {} at {address}", args.model.display());
        outln!("Ctrl-C ends it");
        out::flush();
        if args.open
            && let Err(why) = start::open(address)
        {
            errln!("warning: {why}");
        }
    });
    match served {
        Ok(()) => Exit::Holds,
        Err(why) => input::refuse(&why),
    }
}
