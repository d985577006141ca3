//! Internal errors: lariat has found out that it is wrong, or has panicked.
//!
//! No verdict is given then. Standard error says so and asks for a report, a file has what is
//! needed to see the error again, and the exit code is 4.

use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lariat_model::ir::Model;
use lariat_verify::Error;
use lariat_verify::judge::Claimed;
use lariat_verify::saved::SavedSteps;
use serde_json::{Value, json};

use crate::arguments::reading;
use crate::exit::Exit;
use crate::input;
use crate::out;

/// Says on standard error why there is no answer.
pub(crate) fn tell(error: Error) -> Exit {
    match error {
        Error::Input(failure) => reading::refuse(&failure),
        Error::Proposition { property, text, why } => {
            reading::refuse(&why);
            input::refuse(&format!("{property}: `{text}` is not an expression of this model"))
        }
        Error::Formula(message) => {
            out::complain(message.trim_end());
            Exit::BadInput
        }
        Error::Refused(message) => input::refuse(&message),
        Error::Broken(message) => {
            out::complain(&format!("inconclusive: {message}"));
            Exit::Inconclusive
        }
        Error::Bug { what, run } => report(&what, run.as_ref(), None),
    }
}

/// What this thread is busy with.
#[derive(Clone, Default)]
struct Context {
    model: Option<PathBuf>,
    /// Names and texts of all files that were read for it.
    sources: Vec<(Arc<str>, Arc<str>)>,
    /// What is asked about it.
    property: Value,
}

/// An error that was reported.
#[derive(Clone, Debug)]
pub(crate) struct Reported {
    pub(crate) message: String,
    /// The file that has what is needed to see it again.
    pub(crate) file: Option<PathBuf>,
}

thread_local! {
    static CONTEXT: RefCell<Context> = RefCell::default();
    static REPORTED: RefCell<Option<Reported>> = const { RefCell::new(None) };
}

/// From now on this thread is busy with this file.
pub(crate) fn busy_with(path: &Path) {
    CONTEXT.set(Context { model: Some(path.to_owned()), ..Context::default() });
}

/// The file was read as this model.
pub(crate) fn busy_with_model(model: &Model) {
    CONTEXT.with_borrow_mut(|context| context.sources = model.sources.files().collect());
}

/// This is asked about it.
pub(crate) fn busy_with_property(property: Value) {
    CONTEXT.with_borrow_mut(|context| context.property = property);
}

/// The error that this thread reported last.
pub(crate) fn take_reported() -> Option<Reported> {
    REPORTED.take()
}

/// A panic is an internal error: it is reported as one, besides what Rust says about it.
pub(crate) fn report_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload_as_str().unwrap_or("a panic");
        usual(info);
        let place = info.location().map_or(String::new(), |at| format!(" at {at}"));
        let backtrace = Backtrace::force_capture();
        report(&format!("a panic{place}: {payload}"), None, Some(&backtrace));
    }));
}

/// Does something that may panic; then, the panic was reported.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Exit>) -> Result<T, Exit> {
    // What was in the making is not looked at any more.
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Exit::InternalError))
}

/// Says on standard error what is wrong, and saves what is needed to see it again.
fn report(what: &str, run: Option<&Claimed>, backtrace: Option<&Backtrace>) -> Exit {
    let context = CONTEXT.try_with(|context| context.borrow().clone()).unwrap_or_default();
    let file = save(&context, what, run, backtrace);
    let model =
        context.model.as_ref().map_or(String::new(), |model| format!("{}: ", model.display()));
    out::complain(&format!("error: {model}internal error: {what}"));
    errln!("  This is a bug in lariat, not an error of your model. It gives no verdict here.");
    match &file {
        Some(file) => errln!(
            "  Please report it with the file {}: it holds the command line, the text of the \
             model and the run.",
            file.display()
        ),
        None => errln!("  Please report it with the command line and the model."),
    }
    let message = what.to_owned();
    let _ = REPORTED.try_with(|reported| reported.replace(Some(Reported { message, file })));
    Exit::InternalError
}

/// Writes the file beside saved runs; if that cannot be, among temporary files.
fn save(
    context: &Context,
    what: &str,
    run: Option<&Claimed>,
    backtrace: Option<&Backtrace>,
) -> Option<PathBuf> {
    let name = context.model.as_deref().and_then(Path::file_name).unwrap_or_default();
    let name = match name.to_string_lossy() {
        name if name.is_empty() || name == "-" => "lariat-bug.json".to_owned(),
        name => format!("{name}.lariat-bug.json"),
    };
    let text = format!("{:#}\n", document(context, what, run, backtrace));
    let places = [PathBuf::from(&name), std::env::temp_dir().join(&name)];
    places.into_iter().find(|place| std::fs::write(place, &text).is_ok())
}

fn document(
    context: &Context,
    what: &str,
    run: Option<&Claimed>,
    backtrace: Option<&Backtrace>,
) -> Value {
    let source = |(name, text): &(Arc<str>, Arc<str>)| json!({ "name": **name, "text": **text });
    let mut sources: Vec<Value> = context.sources.iter().map(source).collect();
    if let Some(model) = context.model.as_ref().filter(|_| sources.is_empty()) {
        // It was not read to its end.
        let text = std::fs::read(model).unwrap_or_default();
        sources.push(json!({ "name": model, "text": String::from_utf8_lossy(&text) }));
    }
    json!({
        "format": "lariat-bug",
        "lariat": env!("CARGO_PKG_VERSION"),
        "command": std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect::<Vec<_>>(),
        "error": what,
        "model": context.model,
        "sources": sources,
        "property": context.property,
        "run": run.map(|run| SavedSteps::new(run.steps.iter(), run.ending)),
        "backtrace": backtrace.map(ToString::to_string),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_model::interp::Move;
    use lariat_model::ir::CommandId;
    use lariat_report::execution::Ending;

    #[test]
    fn the_file_has_what_is_needed() {
        let text = "init { skip }";
        let model = lariat_model::promela::load_text("m.pml", text, &Default::default());
        busy_with(Path::new("m.pml"));
        busy_with_model(&model.expect("a model").model);
        busy_with_property(json!({ "name": "p" }));
        let steps = vec![vec![Move { pid: 0, command: CommandId(3) }]];
        let run = Claimed { steps, ending: Ending::Loop { start: 0 } };
        let context = CONTEXT.with_borrow(Clone::clone);
        let file = document(&context, "its loop is not closed", Some(&run), None);
        assert_eq!(file["lariat"], env!("CARGO_PKG_VERSION"));
        assert_eq!(file["command"][0].as_str(), std::env::args().next().as_deref());
        assert_eq!(file["sources"][0], json!({ "name": "m.pml", "text": text }));
        assert_eq!((&file["model"], &file["property"]["name"]), (&json!("m.pml"), &json!("p")));
        assert_eq!(file["run"]["steps"], json!([[[0, 3]]]));
        assert_eq!(file["error"], "its loop is not closed");
    }
}
