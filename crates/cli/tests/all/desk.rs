//! A folder for the files of one test, and lariat at work in it.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) struct Desk {
    pub(crate) folder: PathBuf,
}

impl Desk {
    /// Tests run side by side: each gives its desk another name.
    pub(crate) fn new(name: &str) -> Desk {
        let folder = std::env::temp_dir().join(format!("lariat-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Desk { folder }
    }

    pub(crate) fn put(&self, name: &str, text: &str) -> &Desk {
        std::fs::write(self.folder.join(name), text).expect("a file can be written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("a file")
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).expect("JSON")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut lariat = Command::new(env!("CARGO_BIN_EXE_lariat"));
        lariat.current_dir(&self.folder).args(arguments).env_remove("LARIAT_MISTAKE");
        lariat
    }

    pub(crate) fn lariat(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("lariat can be started")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Standard output and standard error.
pub(crate) fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// The report that was printed.
pub(crate) fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {}", text(output)))
}
