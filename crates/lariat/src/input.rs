//! Reading what the user names, and refusing it politely.

use crate::exit::Exit;
use crate::out;
use std::io::Read;
use std::path::Path;

/// The name to show and the text of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<(String, String), String> {
    let name =
        if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    result.map_err(|error| format!("cannot read {name}: {error}"))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("{name} is not UTF-8 text: {}", error.utf8_error()))?;
    Ok((name, text))
}

/// Says on standard error why the input cannot be taken.
pub(crate) fn refuse(message: &str) -> Exit {
    out::complain(&format!("error: {message}"));
    Exit::BadInput
}
