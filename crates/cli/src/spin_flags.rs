//! Flags of `spin` and `pan` on lariat's command line: what to write instead.
//! docs/from-spin.md has the whole list.

/// What to do here instead of a flag of `spin` or `pan`; None if it is none of theirs.
fn instead(argument: &str) -> Option<&'static str> {
    let flag = argument.strip_prefix('-').filter(|flag| !flag.starts_with('-'))?;
    let digits = flag.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &flag[..flag.len() - digits.len()];
    let has_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !digits.is_empty() && !has_number {
        return None;
    }
    Some(match (letters, has_number) {
        ("a" | "run" | "search", false) => {
            "lariat generates no verifier: `lariat check MODEL` checks everything at once"
        }
        ("m", true) => "`--depth-limit N`; without it the depth has no limit",
        ("w", true) => "nothing to do: the table grows by itself; with bit-state, `--bitstate N`",
        ("k", true) => "`--bitstate N -k K`",
        ("n", true) => "`lariat simulate MODEL --seed N`",
        ("u", true) => "`lariat simulate MODEL --steps N`",
        ("j", true) => "`lariat replay FILE --full-trace` shows every step",
        ("c", true) => "`lariat count MODEL` goes on after errors; `check` stops at the first",
        ("e", _) => "`lariat count MODEL` goes on after errors; `check` saves each counterexample",
        ("f", false) => {
            "`--fair weak` for `pan -f`, `lariat translate -o never FORMULA` for `spin -f`"
        }
        ("F", false) => "`lariat translate -o never -F FILE`",
        ("ltl", false) => "`--property NAME`",
        ("N", false) => "`--property NAME` for `pan -N`, `--never FILE` for `spin -N`",
        ("l", false) => "`--non-progress` for `pan -l`, `--vars all` for `spin -l`",
        ("g", _) => "`--vars all`",
        ("p" | "v" | "w", false) => {
            "nothing to do: runs show their statements and what they change"
        }
        ("r" | "s" | "c" | "M", false) => "`--msc`, or `--svg FILE` for a drawing",
        ("t" | "k" | "replay", _) => "`lariat replay MODEL.lasso.json`",
        ("i", false) => {
            "`lariat simulate MODEL --interactive` for `spin -i`, `--shortest` for `pan -i`"
        }
        ("bfs" | "bfspar", _) => "`--bfs`",
        ("d", false) => "`lariat show MODEL`",
        ("pp", false) => "`lariat show MODEL --ast`",
        ("Q", true) => "`--time-limit SECONDS`",
        ("h", true) => "`--bitstate N --hash-seed SEED`",
        ("M" | "G", true) => "`--bitstate N`: 2^N bits",
        ("E", false) => "`--no-deadlock`",
        ("A", false) => "`--no-assert`",
        ("b", false) => "`--depth-limit N`: a search that is cut is never reported as a proof",
        ("o", true) if flag == "o6" => "`--ignore-priorities`",
        ("o", true) => "`--shortcuts none`",
        ("O" | "safety", false) => "`--safety`",
        ("biterate", _) => "`--bitstate N --repeat R`",
        ("swarm", _) => "`--swarm --time-limit SECONDS`",
        ("noreduce", false) => NO_REDUCTION,
        _ => return None,
    })
}

const NO_REDUCTION: &str = "nothing to do: there is no partial-order reduction";

/// What to do here instead of a macro that configures `pan`.
fn instead_of_macro(name: &str) -> Option<&'static str> {
    Some(match name {
        "BITSTATE" => "`--bitstate N`, for 2^N bits",
        "NOREDUCE" => NO_REDUCTION,
        "SAFETY" | "NOCLAIM" => "`--safety`",
        "NP" => "`--non-progress`",
        "MEMLIM" => "`--max-memory SIZE`",
        "BFS" | "BFS_PAR" => "`--bfs`",
        "REACH" => "`--shortest`",
        "HC" | "HC0" | "HC1" | "HC2" | "HC3" | "HC4" => "`--hash-compact`",
        "COLLAPSE" | "MA" => "nothing to do: states are compressed, without loss",
        "VECTORSZ" | "NFAIR" => "nothing to do: states and processes have no such limit",
        "NOFAIR" => "nothing to do: fairness is off without `--fair`",
        "NCORE" | "DUAL_CORE" | "QUAD_CORE" => {
            "nothing to do: searches that outlive 100,000 states take all cores (`--threads N`)"
        }
        "XUSAFE" => "nothing to do: `xr` and `xs` are not relied on",
        _ => return None,
    })
}

/// Hints for arguments that were not understood, a line each.
pub(crate) fn hints(arguments: &[String]) -> Vec<String> {
    let hint = |argument: &String| {
        instead(argument).map(|what| format!("note: `{argument}` is a flag of Spin; here: {what}"))
    };
    arguments.iter().filter_map(hint).collect()
}

/// Hints for macros that mean something to `pan` alone.
pub(crate) fn macro_hints(defines: &[String]) -> Vec<String> {
    let hint = |define: &String| {
        let name = define.split('=').next().unwrap_or_default();
        let what = instead_of_macro(name)?;
        Some(format!(
            "note: -D{name} defines a macro of the model; instead of pan's {name}: {what}"
        ))
    };
    defines.iter().filter_map(hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_spin_are_known() {
        let flags = [
            "-a",
            "-run",
            "-search",
            "-m10000",
            "-w24",
            "-f",
            "-o3",
            "-o6",
            "-t",
            "-p",
            "-c0",
            "-n5",
            "-ltl",
            "-bfs",
            "-E",
            "-A",
            "-i",
            "-l",
            "-noreduce",
            "-biterate",
            "-g",
            "-s",
            "-r",
            "-k3",
        ];
        for flag in flags {
            assert!(instead(flag).is_some(), "{flag}");
        }
        for other in ["--bfs", "-", "model.pml", "-x=3", "-zzz"] {
            assert_eq!(instead(other), None, "{other}");
        }
        assert_eq!(macro_hints(&["BITSTATE".into(), "N=3".into(), "MEMLIM=100".into()]).len(), 2);
    }
}
