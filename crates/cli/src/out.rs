//! Everything that is printed goes through here.
//!
//! A report that is lost (a full disk, say) must not look like an answer: the first write that
//! fails is remembered, and [`finish`] makes exit code 2 of it. A closed pipe ends the program
//! quietly before that, by its signal. What standard error does not take is dropped: there is
//! nowhere left to complain.

use std::cell::RefCell;
use std::fmt::Arguments;
use std::io::{Error, Write, stderr, stdout};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;
use crate::progress;
use crate::spread;

/// The first write to standard output that failed.
static LOST: Mutex<Option<Error>> = Mutex::new(None);
static WRITING: AtomicBool = AtomicBool::new(false);

/// As `print!`, checked.
macro_rules! out {
    ($($text:tt)*) => { $crate::out::print(format_args!($($text)*)) };
}

/// As `println!`, checked.
macro_rules! outln {
    () => { $crate::out::print(format_args!("\n")) };
    ($($text:tt)*) => { $crate::out::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// As `eprint!`, without a panic.
macro_rules! err {
    ($($text:tt)*) => { $crate::out::print_error(format_args!($($text)*)) };
}

/// As `eprintln!`, without a panic.
macro_rules! errln {
    ($($text:tt)*) => { $crate::out::print_error(format_args!("{}\n", format_args!($($text)*))) };
}

/// Behind `out!` and `outln!`.
pub(crate) fn print(text: Arguments<'_>) {
    if spread::is_silent().0 {
        return;
    }
    progress::clear();
    WRITING.store(true, Ordering::Relaxed);
    let result = stdout().write_fmt(text);
    WRITING.store(false, Ordering::Relaxed);
    note(result);
}

/// What was printed so far can be read by somebody who is asked now.
pub(crate) fn flush() {
    WRITING.store(true, Ordering::Relaxed);
    let result = stdout().flush();
    WRITING.store(false, Ordering::Relaxed);
    note(result);
}

fn note(result: Result<(), Error>) {
    let Err(error) = result else { return };
    if let Ok(mut lost) = LOST.lock() {
        lost.get_or_insert(error);
    }
}

/// Whether a write waits for its reader: somebody is looking at the report.
pub(crate) fn is_writing() -> bool {
    WRITING.load(Ordering::Relaxed)
}

/// Behind `err!` and `errln!`.
pub(crate) fn print_error(text: Arguments<'_>) {
    if spread::is_silent().1 {
        return;
    }
    progress::clear();
    let _ = stderr().write_fmt(text);
}

/// The end of a command: without its report, its answer is none.
pub(crate) fn finish(exit: Exit) -> Exit {
    progress::clear();
    flush();
    match LOST.lock().map(|mut lost| lost.take()) {
        Ok(Some(error)) => {
            errln!("error: the report is lost: cannot write to standard output: {error}");
            exit.max(Exit::BadInput)
        }
        _ => exit,
    }
}

thread_local! {
    static COMPLAINTS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Says on standard error what is wrong with the input, and keeps it for the reports.
pub(crate) fn complain(text: &str) {
    errln!("{text}");
    COMPLAINTS.with_borrow_mut(|complaints| {
        complaints.push_str(text.trim_end());
        complaints.push('\n');
    });
}

/// What was complained about on this thread since the last call.
pub(crate) fn take_complaints() -> String {
    COMPLAINTS.take()
}
