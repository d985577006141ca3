//! Reading what the user names, and refusing it politely.

use crate::exit::Exit;
use crate::out;
use std::io::Read;
use std::path::Path;

/// The name to show and the text of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<(String, String), String> {
    if path != Path::new("-") {
        return lariat_verify::model::read(path);
    }
    let (name, mut bytes) = ("<stdin>".to_owned(), Vec::new());
    let result = std::io::stdin().read_to_end(&mut bytes);
    result.map_err(|error| format!("cannot read {name}: {error}"))?;
    let text = lariat_verify::model::utf8(&name, bytes)?;
    Ok((name, text))
}

/// Says on standard error why the input cannot be taken.
pub(crate) fn refuse(message: &str) -> Exit {
    out::complain(&format!("error: {message}"));
    Exit::BadInput
}
