//! The files of the page, inside the program.

/// Every file of `page/`, by name.
const FILES: &[(&str, &[u8])] = &[
    ("api.js", include_bytes!("../page/api.js")),
    ("ask.js", include_bytes!("../page/ask.js")),
    ("automaton.js", include_bytes!("../page/automaton.js")),
    ("bar.js", include_bytes!("../page/bar.js")),
    ("base.css", include_bytes!("../page/base.css")),
    ("bookmarks.js", include_bytes!("../page/bookmarks.js")),
    ("chart.js", include_bytes!("../page/chart.js")),
    ("checks.js", include_bytes!("../page/checks.js")),
    ("dom.js", include_bytes!("../page/dom.js")),
    ("drawing.js", include_bytes!("../page/drawing.js")),
    ("formula.js", include_bytes!("../page/formula.js")),
    ("graph.js", include_bytes!("../page/graph.js")),
    ("highlight.js", include_bytes!("../page/highlight.js")),
    ("icon.svg", include_bytes!("../page/icon.svg")),
    ("icons.js", include_bytes!("../page/icons.js")),
    ("index.html", include_bytes!("../page/index.html")),
    ("keys.js", include_bytes!("../page/keys.js")),
    ("layered.js", include_bytes!("../page/layered.js")),
    ("layout.css", include_bytes!("../page/layout.css")),
    ("link.js", include_bytes!("../page/link.js")),
    ("main.js", include_bytes!("../page/main.js")),
    ("next.js", include_bytes!("../page/next.js")),
    ("notice.js", include_bytes!("../page/notice.js")),
    ("picture.js", include_bytes!("../page/picture.js")),
    ("runs.js", include_bytes!("../page/runs.js")),
    ("source.js", include_bytes!("../page/source.js")),
    ("steps.js", include_bytes!("../page/steps.js")),
    ("store.js", include_bytes!("../page/store.js")),
    ("tabs.js", include_bytes!("../page/tabs.js")),
    ("timeline.js", include_bytes!("../page/timeline.js")),
    ("travel.js", include_bytes!("../page/travel.js")),
    ("variables.js", include_bytes!("../page/variables.js")),
    ("views.css", include_bytes!("../page/views.css")),
    ("virtual.js", include_bytes!("../page/virtual.js")),
    ("windows.js", include_bytes!("../page/windows.js")),
];

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
