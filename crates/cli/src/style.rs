//! Colours, where somebody sees them.

use std::io::IsTerminal;

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colour {
    Green,
    Red,
    Yellow,
    Dim,
}

/// Whether to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    coloured: bool,
}

impl Style {
    pub(crate) const PLAIN: Style = Style { coloured: false };

    /// For standard output.
    pub(crate) fn of_stdout(when: When) -> Style {
        let coloured = match when {
            When::Auto => std::io::stdout().is_terminal() && !colours_unwanted(),
            When::Always => true,
            When::Never => false,
        };
        Style { coloured }
    }

    pub(crate) fn is_coloured(self) -> bool {
        self.coloured
    }

    pub(crate) fn paint(self, colour: Colour, text: &str) -> String {
        if !self.coloured {
            return text.to_owned();
        }
        let code = match colour {
            Colour::Green => "1;32",
            Colour::Red => "1;31",
            Colour::Yellow => "1;33",
            Colour::Dim => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// <https://no-color.org>: set and not empty.
pub(crate) fn colours_unwanted() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
