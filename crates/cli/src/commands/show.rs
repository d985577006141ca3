//! `lariat show`: a model as lariat understands it.

use std::path::{Path, PathBuf};

use lariat_model::ir::dot::dot;
use lariat_syntax::diagnostics::SourceMap;
use lariat_verify::model::{Language, Parts, language_of};

use crate::arguments::reading::{self, Reading};
use crate::exit::Exit;
use crate::input;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A model: DVE if its name ends in .dve, else Promela
    model: PathBuf,
    #[command(flatten)]
    reading: reading::Args,
    #[command(flatten)]
    form: Form,
}

#[derive(clap::Args)]
#[group(multiple = false)]
struct Form {
    /// Variables, channels and control graphs as text; the default
    #[arg(long)]
    ir: bool,
    /// The control graphs for Graphviz
    #[arg(long)]
    dot: bool,
    /// The syntax tree, written out as source
    #[arg(long)]
    ast: bool,
}

pub(crate) fn run(args: &Args) -> Exit {
    let reading = args.reading.reading();
    if args.form.ast {
        return match language_of(&args.model) {
            Language::Promela => show_promela(&args.model, &reading),
            Language::Dve => show_dve(&args.model, &reading),
        };
    }
    let loaded = match reading.load(&args.model, Parts::All) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    match args.form.dot {
        true => out!("{}", dot(loaded.model())),
        false => out!("{}", loaded.model()),
    }
    Exit::Holds
}

fn show_promela(path: &Path, reading: &Reading) -> Exit {
    use lariat_syntax::promela::{load, parse, print};
    let mut sources = SourceMap::new();
    let options = reading.how.promela_options().syntax;
    let parsed = if path == Path::new("-") {
        let (name, text) = match input::read(path) {
            Ok(input) => input,
            Err(message) => return input::refuse(&message),
        };
        let file = sources.add(&name, &text);
        parse(&mut sources, file, &options)
    } else {
        load(&mut sources, path, &options)
    };
    reading.say(&sources, &parsed.diagnostics);
    match parsed.program {
        Some(program) => {
            out!("{}", print(&program));
            Exit::Holds
        }
        None => Exit::BadInput,
    }
}

fn show_dve(path: &Path, reading: &Reading) -> Exit {
    use lariat_syntax::dve::{parse, print};
    let (name, text) = match input::read(path) {
        Ok(input) => input,
        Err(message) => return input::refuse(&message),
    };
    let mut sources = SourceMap::new();
    let file = sources.add(&name, &text);
    let parsed = parse(&sources, file);
    reading.say(&sources, &parsed.diagnostics);
    match parsed.tree {
        Some(tree) => {
            out!("{}", print(&tree));
            Exit::Holds
        }
        None => Exit::BadInput,
    }
}
