//! What a command tells the shell.

use std::process::ExitCode;

pub(crate) const HELP: &str = "\
Exit codes: 0 holds / empty / as expected, 1 violated / non-empty / not as expected,
2 bad input, usage, or a report that is lost, 3 inconclusive, 4 internal error";

/// The worst of several answers is the greatest, but bad input outranks all of them, and an
/// error of lariat itself everything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    Holds,
    Inconclusive,
    Violated,
    BadInput,
    InternalError,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Inconclusive => 3,
            Exit::InternalError => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
