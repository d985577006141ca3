//! Requests and answers: which address is which part of a session.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_core::stop;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http::{Handler, Method, Request, Response};
use crate::page;
use crate::session::{Answer, GraphOf, Refusal, Session};
use crate::subject::{Ask, Question};

/// For the work on one request.
const WORK: Duration = Duration::from_secs(10);

/// A session behind HTTP.
pub struct Api<'s> {
    session: Session<'s>,
    /// The largest body, which the page is told.
    body: usize,
    /// For those who work on the page: its files are read from here each time.
    page: Option<PathBuf>,
}

impl<'s> Api<'s> {
    /// Answers with the page inside the program, or with one from a folder.
    pub fn new(session: Session<'s>, body: usize, page: Option<PathBuf>) -> Self {
        Api { session, body, page }
    }

    fn file(&self, path: &str) -> Option<Response> {
        let (kind, bytes) = page::file(path).or_else(|| {
            // Nothing but a plain name leads into the folder.
            let name = path.strip_prefix('/')?;
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            let is_file = name.chars().all(is_plain) && !name.starts_with('.');
            (self.page.is_some() && is_file).then(|| (page::content_type(name), &[][..]))
        })?;
        let Some(folder) = &self.page else { return Some(Response::file(kind, bytes)) };
        let name = path.trim_start_matches('/');
        let name = if name.is_empty() { "index.html" } else { name };
        let bytes = std::fs::read(folder.join(name)).ok()?;
        Some(Response::file(page::content_type(name), bytes))
    }
}

impl Handler for Api<'_> {
    fn answer(&self, request: &Request) -> Response {
        let Some(path) = request.path.strip_prefix("/api/") else {
            return match (request.method, self.file(&request.path)) {
                (Method::Get, Some(file)) => file,
                (_, Some(_)) => Response::error(405, "bad-request", "this can only be read"),
                (_, None) => Response::error(404, "no-such-path", "there is nothing here"),
            };
        };
        let parts: Vec<&str> = path.split('/').collect();
        if let (Method::Get, ["runs", id, "chart.svg"]) = (request.method, &parts[..]) {
            let range = from_to(request);
            let property = request.value("property");
            return match range.and_then(|(from, to)| self.session.chart(id, from, to, property)) {
                Ok(chart) => Response::file("image/svg+xml; charset=utf-8", chart),
                Err(refusal) => refused(&refusal),
            };
        }
        // Translations, steps and graphs look at the clock.
        stop::within(Some(Instant::now() + WORK), || {
            let answer = route(&self.session, self.body, request, &parts);
            match (stop::asked(), answer) {
                (Some(_), _) => Response::error(422, "too-long", "that takes too long"),
                (None, Ok((status, value))) => Response::json(status, &value),
                (None, Err(refusal)) => refused(&refusal),
            }
        })
    }
}

fn refused(refusal: &Refusal) -> Response {
    Response::error(refusal.status, refusal.code, &refusal.message)
}

/// What `POST /api/runs` makes a run from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewRun {
    code: Option<String>,
    saved: Option<Value>,
    graph: Option<String>,
    node: Option<usize>,
    initial: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewCheck {
    question: Question,
    from: Option<From>,
    fair: Option<String>,
    #[serde(default)]
    shortest: bool,
    #[serde(default = "usual_seconds")]
    seconds: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    run: String,
    at: usize,
}

fn usual_seconds() -> u64 {
    600
}

/// A check takes no longer.
const MOST_SECONDS: u64 = 3600;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewStep {
    at: usize,
    choice: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewWalk {
    at: usize,
    steps: usize,
    #[serde(default)]
    seed: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewLoop {
    start: usize,
}

fn route(session: &Session<'_>, body: usize, request: &Request, parts: &[&str]) -> Answer {
    let property = request.value("property");
    match (request.method, parts) {
        (Method::Get, ["model"]) => session.model(body),
        (Method::Get, ["runs"]) => session.runs(),
        (Method::Post, ["runs"]) => {
            let wanted: NewRun = body_of(request)?;
            match wanted {
                NewRun { code: Some(code), .. } => session.decode(&code),
                NewRun { saved: Some(document), .. } => session.load(document),
                NewRun { graph: Some(graph), node: Some(node), .. } => session.run_to(&graph, node),
                NewRun { initial, .. } => session.start(initial.unwrap_or(0)),
            }
        }
        (Method::Get, ["runs", id]) => session.summary_of(id),
        (Method::Delete, ["runs", id]) => session.forget_run(id),
        (Method::Get, ["runs", id, "code"]) => session.code(id),
        (Method::Get, ["runs", id, "steps"]) => {
            let (from, to) = from_to(request)?;
            session.steps(id, from, to, property)
        }
        (Method::Get, ["runs", id, "states", at]) => {
            session.state(id, number("position", at)?, property)
        }
        (Method::Get, ["runs", id, "overview"]) => {
            session.overview(id, value(request, "buckets", 400)?, property)
        }
        (Method::Post, ["runs", id, "step"]) => {
            let NewStep { at, choice } = body_of(request)?;
            session.step(id, at, choice)
        }
        (Method::Post, ["runs", id, "walk"]) => {
            let NewWalk { at, steps, seed } = body_of(request)?;
            session.walk(id, at, steps, seed)
        }
        (Method::Post, ["runs", id, "loop"]) => {
            let NewLoop { start } = body_of(request)?;
            session.close(id, start)
        }
        (Method::Get, ["runs", id, "save"]) => session.save(id),
        (Method::Get, ["checks"]) => session.checks(),
        (Method::Get, ["checks", id]) => session.check_of(id),
        (Method::Delete, ["checks", id]) => session.cancel(id),
        (Method::Post, ["checks"]) => {
            let NewCheck { question, from, fair, shortest, seconds } = body_of(request)?;
            let seconds = seconds.clamp(1, MOST_SECONDS);
            let from = from.map(|from| (from.run, from.at));
            let ask = Ask { question, from: None, fair, shortest, seconds, memory: None };
            session.check(ask, from)
        }
        (Method::Get, ["graph"]) => session.graph(&GraphOf {
            max: value(request, "max", 1000)?,
            run: request.value("run").map(str::to_owned),
            at: request.value("at").map(|at| number("at", at)).transpose()?,
            radius: value(request, "radius", 3)?,
            property: property.map(str::to_owned),
        }),
        (Method::Post, ["formula"]) => session.formula(&body_of::<Question>(request)?),
        (Method::Get, ["properties"]) => session.properties(),
        (Method::Post, ["properties"]) => session.property(&body_of::<Question>(request)?),
        (Method::Get, ["properties", id]) => session.property_of(id),
        (_, ["model" | "formula" | "properties" | "runs" | "checks" | "graph", ..]) => {
            Err(Refusal {
                status: 405,
                code: "bad-request",
                message: "this address is there, but not for this method".to_owned(),
            })
        }
        _ => Err(Refusal::missing("no-such-path", "there is nothing here")),
    }
}

/// The body of a request.
fn body_of<T: DeserializeOwned>(request: &Request) -> Result<T, Refusal> {
    let value: Value = serde_json::from_slice(&request.body)
        .map_err(|error| Refusal::bad(format!("the body is not JSON: {error}")))?;
    serde_json::from_value(value).map_err(|error| Refusal::bad(format!("the body: {error}")))
}

fn number(what: &str, text: &str) -> Result<usize, Refusal> {
    text.parse().map_err(|_| Refusal::bad(format!("{what}: `{text}` is not a number")))
}

fn value(request: &Request, name: &str, usual: usize) -> Result<usize, Refusal> {
    request.value(name).map_or(Ok(usual), |text| number(name, text))
}

fn from_to(request: &Request) -> Result<(usize, usize), Refusal> {
    let from = value(request, "from", 0)?;
    Ok((from, value(request, "to", from.saturating_add(100))?))
}
