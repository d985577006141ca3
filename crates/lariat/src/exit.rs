//! What a command tells the shell.

use std::process::ExitCode;

pub(crate) const HELP: &str = "\
Exit codes: 0 holds / empty, 1 violated / non-empty, 2 bad input or usage, 3 inconclusive";

/// The worst of several answers is the greatest, but bad input outranks all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    Holds,
    Inconclusive,
    Violated,
    BadInput,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Inconclusive => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
