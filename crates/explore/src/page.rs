//! The files of the page, inside the program.

/// Every file of `page/`, by name.
const FILES: &[(&str, &[u8])] = &[("index.html", include_bytes!("../page/index.html"))];

/// A file and its type; `/` is the page itself.
pub fn file(path: &str) -> Option<(&'static str, &'static [u8])> {
    let name = path.strip_prefix('/')?;
    let name = if name.is_empty() { "index.html" } else { name };
    let (known, bytes) = FILES.iter().find(|(known, _)| *known == name)?;
    Some((content_type(known), bytes))
}

/// By the end of its name.
pub fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        for entry in std::fs::read_dir(folder).expect("the page") {
            let name = entry.expect("a file").file_name().into_string().expect("a plain name");
            let known = ["html", "css", "js", "svg", "png", "ico", "woff2"];
            if known.iter().any(|end| name.ends_with(&format!(".{end}"))) {
                assert!(file(&format!("/{name}")).is_some(), "{name} is not in FILES");
            }
        }
    }
}
