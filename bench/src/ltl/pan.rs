//! Spin's verifier on properties of infinite runs, mostly without partial-order reduction and without
//! Spin's shortcuts.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use super::Verdict;
use crate::versus::spin::{Scratch, watched};

/// A verifier, in a folder of its own.
pub struct Pan {
    scratch: Scratch,
}

/// The time that Spin and the compiler may take.
const BUILDING: Duration = Duration::from_secs(120);

impl Pan {
    /// Compiles the verifier of a model; what Spin or the compiler complain about otherwise.
    /// `number` keeps the folders of one program apart.
    pub fn build(model: &Path, flags: &[&str], number: usize) -> io::Result<Result<Pan, String>> {
        Pan::build_with(&[], model, flags, &number.to_string())
    }

    /// The same with more arguments of Spin.
    pub fn build_with(
        of_spin: &[&str],
        model: &Path,
        flags: &[&str],
        name: &str,
    ) -> io::Result<Result<Pan, String>> {
        let of_spin = [&["-o1", "-o2", "-o3"], of_spin].concat();
        Pan::compile(&of_spin, model, &[&["-O0", "-DNOREDUCE"], flags].concat(), name)
    }

    /// A verifier as Spin makes it: with its shortcuts and its reduction.
    pub fn build_reduced(
        model: &Path,
        flags: &[&str],
        name: &str,
    ) -> io::Result<Result<Pan, String>> {
        Pan::compile(&[], model, &[&["-O2"], flags].concat(), name)
    }

    fn compile(
        of_spin: &[&str],
        model: &Path,
        flags: &[&str],
        name: &str,
    ) -> io::Result<Result<Pan, String>> {
        let scratch = Scratch::new(&format!("pan-{name}"))?;
        let folder = scratch.path();
        let mut spin = Command::new("spin");
        spin.args(of_spin).arg("-a").arg(model.canonicalize()?);
        let (status, said) = watched(&mut spin, folder, BUILDING)?;
        if !status.is_some_and(|status| status.success()) || !folder.join("pan.c").exists() {
            return Ok(Err(said));
        }
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-DNFAIR=6", "-DMEMLIM=2048", "-DVECTORSZ=16384"]);
        gcc.args(flags).args(["-o", "pan", "pan.c"]);
        let (status, said) = watched(&mut gcc, folder, BUILDING)?;
        if !status.is_some_and(|status| status.success()) {
            return Ok(Err(said));
        }
        Ok(Ok(Pan { scratch }))
    }

    /// Runs a search; an error message if it ends in anything but an answer. Not deep at first:
    /// with fairness Spin may go down for long before it turns to the error that is near.
    pub fn run(&self, args: &[&str], limit: Duration) -> io::Result<Result<Verdict, String>> {
        match self.search("-m10000", args, limit)? {
            Ok(Verdict::Cut) => self.search("-m1000000", args, limit),
            answer => Ok(answer),
        }
    }

    fn search(
        &self,
        depth: &str,
        args: &[&str],
        limit: Duration,
    ) -> io::Result<Result<Verdict, String>> {
        let said = self.output(&[&[depth], args].concat(), limit)?;
        Ok(said.map_or(Ok(Verdict::Cut), |(_, said)| verdict(&said)))
    }

    /// How a search ends and what it prints; none if there is no end in time.
    pub fn output(
        &self,
        args: &[&str],
        limit: Duration,
    ) -> io::Result<Option<(ExitStatus, String)>> {
        let mut pan = Command::new(self.scratch.path().join("pan"));
        pan.args(["-w18", "-n"]).args(args);
        let (status, said) = watched(&mut pan, self.scratch.path(), limit)?;
        Ok(status.map(|status| (status, said)))
    }
}

/// The errors of the verifier that say something about a property.
const ABOUT_PROPERTIES: [&str; 5] = [
    "acceptance cycle",
    "accept stutter",
    "non-progress cycle",
    "assertion violated",
    "end state in claim reached",
];

fn verdict(said: &str) -> Result<Verdict, String> {
    if let Some(error) = said.lines().find_map(|line| line.strip_prefix("pan:1: ")) {
        let known = ABOUT_PROPERTIES.iter().any(|known| error.contains(known));
        return if known { Ok(Verdict::Violated) } else { Err(error.to_owned()) };
    }
    let cut = ["max search depth too small", "out of memory", "reached -DMEMLIM bound"];
    if cut.iter().any(|&sign| said.contains(sign)) {
        return Ok(Verdict::Cut);
    }
    if said.contains("errors: 0") { Ok(Verdict::Holds) } else { Err(said.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_verifiers_answers() {
        let cycle = "pan:1: acceptance cycle (at depth 4)\nState-vector 28, errors: 1\n";
        assert_eq!(verdict(cycle), Ok(Verdict::Violated));
        assert_eq!(verdict("State-vector 28, errors: 0\n"), Ok(Verdict::Holds));
        let shallow = "error: max search depth too small\nState-vector 28, errors: 0\n";
        assert_eq!(verdict(shallow), Ok(Verdict::Cut));
        assert!(verdict("pan:1: VECTORSZ is too small").is_err());
        assert!(verdict("Segmentation fault").is_err());
    }
}
