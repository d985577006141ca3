//! Which models are meant: files as they are given, directories by what is in them.

use std::path::{Path, PathBuf};

/// How the names of models end.
const EXTENSIONS: [&str; 6] = ["pml", "prom", "promela", "pm", "pr", "dve"];

/// The models, in the order of the command line; those of a directory and of the directories
/// below it sorted by path.
pub(crate) fn models(given: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut models = Vec::new();
    for path in given {
        if !path.is_dir() {
            models.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        let mut next = vec![path.clone()];
        while let Some(directory) = next.pop() {
            let cannot = |error| format!("cannot read {}: {error}", directory.display());
            for entry in std::fs::read_dir(&directory).map_err(cannot)? {
                let entry = entry.map_err(cannot)?;
                // Links to directories are not followed: they may lead round.
                let is_directory = entry.file_type().map_err(cannot)?.is_dir();
                match entry.path() {
                    path if is_directory => next.push(path),
                    path if is_model(&path) && path.is_file() => found.push(path),
                    _ => {}
                }
            }
        }
        if found.is_empty() {
            let endings = EXTENSIONS.map(|extension| format!(".{extension}")).join(", ");
            return Err(format!("{}: no models here: no {endings}", path.display()));
        }
        found.sort();
        models.append(&mut found);
    }
    Ok(models)
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// Where the runs of each model are saved: in the current directory, as Spin does with its
/// trails. Models of one name in different directories get numbers.
pub(super) fn saved_names(models: &[PathBuf]) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = Vec::with_capacity(models.len());
    for model in models {
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let mut candidate = PathBuf::from(format!("{name}.lasso.json"));
        let mut number = 2;
        while names.contains(&candidate) {
            candidate = PathBuf::from(format!("{name}.{number}.lasso.json"));
            number += 1;
        }
        names.push(candidate);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_one_name_do_not_share_a_file() {
        let models = ["a/m.pml", "b/m.pml", "n.pml"].map(PathBuf::from);
        let names = ["m.pml.lasso.json", "m.pml.2.lasso.json", "n.pml.lasso.json"];
        assert_eq!(saved_names(&models), names.map(PathBuf::from));
    }
}
