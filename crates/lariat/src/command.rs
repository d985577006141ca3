//! A command line for a model of one's own: a binary of five lines.

use crate::check::Check;
use crate::model::Model;
use crate::report::{Finding, Report};
use crate::verdict::Verdict;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

const HELP: &str = "\
Usage: MODEL [check | count | simulate | explore] [OPTIONS]

  check      answers all questions about the model (the default)
  count      counts its states and steps
  simulate   looks at random runs; proves nothing
  explore    shows it in the browser; needs lariat's cargo feature `explore`

  --json                 prints the answers as JSON
  --msc                  actors: also shows runs as message sequence charts
  --svg FILE             actors: writes the first run as a message sequence chart in SVG
  --stop-at-first        ends with the first violation
  --max-states N         gives up beyond so many states
  --max-depth N          looks at no state that is farther away
  --max-memory BYTES     gives up where so much memory is taken
  --time-limit SECONDS   gives up after this time
  --runs N               simulate: so many runs (default 1000)
  --length N             simulate: of at most so many steps (default 1000)
  --seed N               simulate: other runs (default 0)
  --open                 explore: starts the browser
  --port N               explore: the port (default: any that is free)
  --listen ADDRESS       explore: other machines may ask, too, with the token that is printed

Exit codes: 0 all holds, 1 something is violated, 2 bad usage, 3 inconclusive, 4 internal error.
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Check,
    Count,
    Simulate,
    Explore,
}

/// What the arguments ask for.
struct Asked<'m, M: Model> {
    what: What,
    is_json: bool,
    has_charts: bool,
    svg: Option<String>,
    runs: u64,
    length: u64,
    seed: u64,
    page: Page,
    check: Check<'m, M>,
}

/// Where the page is to be.
#[derive(Default)]
struct Page {
    opens: bool,
    port: u16,
    listen: Option<String>,
}

impl<'m, M: Model> Check<'m, M> {
    /// Does what the program's arguments ask for, and prints the answer:
    ///
    /// ```no_run
    /// # use lariat::{Check, Model, Steps};
    /// # struct MyModel;
    /// # impl Model for MyModel {
    /// #     type State = u32;
    /// #     type Action = ();
    /// #     fn initial(&self) -> Vec<u32> { vec![0] }
    /// #     fn steps(&self, _: &u32, _: &mut Steps<'_, Self>) {}
    /// # }
    /// fn main() -> std::process::ExitCode {
    ///     Check::of(&MyModel).always("small", |&s| s < 9).command()
    /// }
    /// ```
    ///
    /// `--help` says what there is. The exit codes are those of the command `lariat`.
    pub fn command(self) -> ExitCode {
        let args: Vec<String> =
            std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
        let (text, code) = self.command_with(args.iter().map(String::as_str));
        let written = match code {
            2 if text.starts_with("error") => io::stderr().write_all(text.as_bytes()),
            _ => io::stdout().write_all(text.as_bytes()),
        };
        // A lost report is an error.
        ExitCode::from(if written.is_ok() { code } else { 2 })
    }

    /// What [`Check::command`] prints for these arguments, and its exit code.
    #[doc(hidden)]
    pub fn command_with<'a>(self, args: impl Iterator<Item = &'a str>) -> (String, u8) {
        let asked = match self.read(args) {
            Ok(Some(asked)) => asked,
            Ok(None) => return (HELP.to_owned(), 0),
            Err(why) => return (format!("error: {why}\n\n{HELP}"), 2),
        };
        let Asked { what, is_json, has_charts, svg, runs, length, seed, page, mut check } = asked;
        let model = check.model;
        let report = match what {
            What::Check => check.run(),
            What::Count => {
                check.claims.clear();
                check.run()
            }
            What::Simulate => check.simulate(runs, length, seed),
            What::Explore => {
                return match explore(check, page) {
                    Ok(()) => (String::new(), 0),
                    Err(why) => (format!("error: {why}\n"), 2),
                };
            }
        };
        let mut text = match is_json {
            true => json(&report),
            false => report.to_string(),
        };
        match charts(model, &report, has_charts, svg.as_deref()) {
            Ok(charts) => text += &charts,
            Err(why) => return (format!("error: {why}\n"), 2),
        }
        (text, report.code())
    }

    /// None if help is asked for.
    fn read<'a>(
        self,
        mut args: impl Iterator<Item = &'a str>,
    ) -> Result<Option<Asked<'m, M>>, String> {
        let mut asked = Asked {
            what: What::Check,
            is_json: false,
            has_charts: false,
            svg: None,
            runs: 1_000,
            length: 1_000,
            seed: 0,
            page: Page::default(),
            check: self,
        };
        let mut has_command = false;
        let (mut of_simulation, mut of_page) = (None, None);
        while let Some(arg) = args.next() {
            let check = asked.check;
            asked.check = match arg {
                "--help" | "-h" => return Ok(None),
                "check" | "count" | "simulate" | "explore" if !has_command => {
                    has_command = true;
                    asked.what = match arg {
                        "check" => What::Check,
                        "count" => What::Count,
                        "explore" => What::Explore,
                        _ => What::Simulate,
                    };
                    check
                }
                "--json" => {
                    asked.is_json = true;
                    check
                }
                "--msc" => {
                    asked.has_charts = true;
                    check
                }
                "--svg" => {
                    let file = args.next().ok_or("--svg needs a file to write")?;
                    asked.svg = Some(file.to_owned());
                    check
                }
                "--stop-at-first" => check.stop_at_first(),
                "--max-states" => check.max_states(number(arg, args.next())?),
                "--max-depth" => check.max_depth(number(arg, args.next())?),
                "--max-memory" => check.max_memory(number(arg, args.next())?),
                "--time-limit" => {
                    let seconds: f64 = number(arg, args.next())?;
                    let limit = Duration::try_from_secs_f64(seconds);
                    check.time_limit(limit.map_err(|error| format!("{arg}: {error}"))?)
                }
                "--runs" | "--length" | "--seed" => {
                    of_simulation = Some(arg);
                    let value = number(arg, args.next())?;
                    match arg {
                        "--runs" => asked.runs = value,
                        "--length" => asked.length = value,
                        _ => asked.seed = value,
                    }
                    check
                }
                "--open" | "--port" | "--listen" => {
                    of_page = Some(arg);
                    match arg {
                        "--open" => asked.page.opens = true,
                        "--port" => asked.page.port = number(arg, args.next())?,
                        _ => {
                            let address = args.next().ok_or("--listen needs an address")?;
                            asked.page.listen = Some(address.to_owned());
                        }
                    }
                    check
                }
                _ => return Err(format!("{arg:?} is not understood")),
            };
        }
        if asked.has_charts && asked.is_json {
            return Err("--msc is for people, --json for programs".to_owned());
        }
        match (of_simulation, of_page) {
            (Some(option), _) if asked.what != What::Simulate => {
                Err(format!("{option} is for `simulate`"))
            }
            (_, Some(option)) if asked.what != What::Explore => {
                Err(format!("{option} is for `explore`"))
            }
            _ => Ok(Some(asked)),
        }
    }
}

#[cfg(feature = "explore")]
fn explore<M: Model>(check: Check<'_, M>, page: Page) -> Result<(), String> {
    let Page { opens, port, listen } = page;
    check.explore_at(&crate::explorer::Wanted { opens, port, listen })
}

#[cfg(not(feature = "explore"))]
fn explore<M: Model>(_: Check<'_, M>, _: Page) -> Result<(), String> {
    Err("the page is a cargo feature: cargo add lariat --features explore".to_owned())
}

/// Charts of all runs as text; the first one is written as SVG, if there is a file for it.
fn charts<M: Model>(
    model: &M,
    report: &Report<M>,
    has_charts: bool,
    svg: Option<&str>,
) -> Result<String, String> {
    let mut text = String::new();
    if !has_charts && svg.is_none() {
        return Ok(text);
    }
    let runs = report.findings.iter().filter_map(|found| Some((&found.name, found.verdict.run()?)));
    for (at, (name, run)) in runs.enumerate() {
        let chart =
            model.drawn(run).ok_or("there are no messages to draw: this is no system of actors")?;
        if has_charts {
            let _ = write!(text, "\n{name}:\n{}", lariat_chart::text(&chart));
        }
        if let Some(file) = svg.filter(|_| at == 0) {
            let drawn = lariat_chart::svg(&chart, std::slice::from_ref(name), "");
            std::fs::write(file, drawn).map_err(|error| format!("{file}: {error}"))?;
        }
    }
    Ok(text)
}

fn number<T: FromStr>(option: &str, value: Option<&str>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("{option} needs a number"))?;
    value.parse().map_err(|_| format!("{option} needs a number, not {value:?}"))
}

/// The report as JSON, after `docs/json.md`: states and actions are their `Debug` text.
fn json<M: Model>(report: &Report<M>) -> String {
    let stats = &report.stats;
    let mut text = String::from("{\n  \"answers\": [");
    for (at, finding) in report.findings.iter().enumerate() {
        text.push_str(if at > 0 { "," } else { "" });
        text.push_str("\n    ");
        answer(finding, &mut text);
    }
    let fair: Vec<String> = report.fair.iter().map(|(name, _)| string(name)).collect();
    let _ = write!(
        text,
        "\n  ],\n  \"fair\": [{}],\n  \"states\": {},\n  \"transitions\": {},\n  \"depth\": {},\n  \
         \"ends\": {},\n  \"beyond\": {},\n  \"product_states\": {},\n  \"exit_code\": {}\n}}\n",
        fair.join(", "),
        stats.states,
        stats.transitions,
        stats.depth,
        stats.ends,
        stats.beyond,
        stats.product_states,
        report.code()
    );
    text
}

fn answer<M: Model>(finding: &Finding<M>, text: &mut String) {
    let _ = write!(
        text,
        "{{\"name\": {}, \"verdict\": {}",
        string(&finding.name),
        string(finding.verdict.name())
    );
    let why = match &finding.verdict {
        Verdict::Inconclusive(reason) => Some(reason.to_string()),
        Verdict::Panicked(panic, _) => Some(panic.clone()),
        _ => None,
    };
    if let Some(why) = why.or(finding.hint.clone()) {
        let _ = write!(text, ", \"why\": {}", string(&why));
    }
    if let Some(run) = finding.verdict.run() {
        let list = |items: Vec<String>| items.join(", ");
        let states = run.states.iter().map(|state| string(&format!("{state:?}"))).collect();
        let actions = run.actions.iter().map(|action| string(&format!("{action:?}"))).collect();
        let _ = write!(text, ", \"states\": [{}], \"actions\": [{}]", list(states), list(actions));
        if let Some(back_to) = run.back_to {
            let _ = write!(text, ", \"back_to\": {back_to}");
        }
    }
    text.push('}');
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
