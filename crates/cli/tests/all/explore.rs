//! `lariat explore`, without a browser: checks in processes of their own, and what comes of them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

struct Explorer {
    child: Child,
    address: String,
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Explorer {
    fn start(model: &str) -> Explorer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args(["explore", model])
            .stdout(Stdio::piped())
            .spawn()
            .expect("lariat");
        let mut line = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        lines.read_line(&mut line).expect("a line");
        // The rest is read by nobody, and short.
        std::mem::forget(lines);
        let address = line.trim().rsplit_once("http://").expect("an address").1;
        Explorer { child, address: address.trim_end_matches('/').to_owned() }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let (host, length) = (&self.address, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("to write");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), serde_json::from_str(body).expect("JSON"))
    }

    fn get(&self, path: &str) -> Value {
        let (status, value) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask("POST", path, &body.to_string())
    }

    /// Asks, and waits for the answer.
    fn check(&self, body: &Value) -> Value {
        let (status, check) = self.post("/api/checks", body);
        assert_eq!(status, 202, "{check}");
        self.ended(check["id"].as_str().expect("an id"))
    }

    fn ended(&self, id: &str) -> Value {
        loop {
            let check = self.get(&format!("/api/checks/{id}"));
            if check["state"] != "running" {
                return check;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// What is found is a run that the page can open, and `lariat replay` confirms when it is saved.
fn opens(server: &Explorer, check: &Value, ending: &str) -> String {
    let id = check["answer"]["run"].as_str().expect("a run").to_owned();
    let run = server.get(&format!("/api/runs/{id}"));
    assert_eq!((&run["confirmed"], &run["origin"]), (&json!(true), &json!("found")), "{run}");
    assert_eq!(run["ending"], ending, "{run}");
    let saved = server.get(&format!("/api/runs/{id}/save"));
    // Every server numbers its runs from one on.
    let folder = std::env::temp_dir().join(format!("lariat-explore-{}-{id}", server.child.id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("saved.lasso.json");
    std::fs::write(&file, saved.to_string()).expect("to write");
    let replay = Command::new(env!("CARGO_BIN_EXE_lariat")).arg("replay").arg(&file).output();
    let replay = replay.expect("lariat");
    let _ = std::fs::remove_dir_all(&folder);
    let said = String::from_utf8_lossy(&replay.stdout).into_owned();
    assert_eq!(replay.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&replay.stderr));
    let (status, loaded) = server.post("/api/runs", &json!({ "saved": saved }));
    assert_eq!(status, 201, "{loaded}");
    assert_eq!(loaded["runs"][0]["steps"], run["steps"]);
    assert_eq!(loaded["runs"][0]["confirmed"], true);
    id
}

#[test]
fn promela_is_asked() {
    let server = Explorer::start("../../examples/spinlock.pml");
    let named = |name: &str| json!({ "question": { "kind": "named", "name": name } });
    let violated = server.check(&named("served"));
    assert_eq!(violated["answer"]["verdict"], "violated", "{violated}");
    let id = opens(&server, &violated, "loop");
    // Its waves say that the process waits in the loop and is never served there.
    let property = violated["answer"]["property"].as_str().expect("a property");
    let run = server.get(&format!("/api/runs/{id}"));
    let (steps, start) = (run["steps"].as_u64().expect("steps"), run["loop_start"].as_u64());
    let window = server.get(&format!("/api/runs/{id}/steps?from=0&to={steps}&property={property}"));
    let critical = window["truth"]["values"][1].as_str().expect("a wave");
    assert!(!critical[start.expect("a loop") as usize..].contains('1'), "{window}");
    let holds = server.check(&named("exclusion"));
    assert_eq!(holds["answer"]["verdict"], "holds", "{holds}");
    assert!(holds["answer"]["run"].is_null());
    let fair = json!({ "question": { "kind": "named", "name": "served" }, "fair": "strong" });
    assert_eq!(server.check(&fair)["answer"]["verdict"], "holds");
    let safety = server.check(&json!({ "question": { "kind": "safety" } }));
    assert_eq!(safety["answer"]["verdict"], "holds");
    assert_eq!(safety["answer"]["coverage"]["whole"], true, "{safety}");
    let ask = |kind: &str, text: &str| json!({ "question": { "kind": kind, "text": text } });
    let exists = server.check(&ask("exists", "[]<> Process[0]@critical"));
    assert_eq!(exists["answer"]["verdict"], "found", "{exists}");
    opens(&server, &exists, "loop");
    assert_eq!(server.check(&ask("reach", "inside == 2"))["answer"]["verdict"], "refuted");
    assert_eq!(server.check(&ask("invariant", "inside < 2"))["answer"]["verdict"], "holds");
    let broken = server.check(&ask("invariant", "inside == 0"));
    assert_eq!(broken["answer"]["verdict"], "violated");
    opens(&server, &broken, "error");
    // What is no question is refused before a search is started.
    let (status, refused) = server.post("/api/checks", &ask("ltl", "[] (nobody == 1)"));
    assert_eq!(status, 422, "{refused}");
}

#[test]
fn dve_is_asked() {
    let server = Explorer::start("../../examples/peterson.dve");
    let about = server.get("/api/model");
    let label = about["names"].as_array().expect("names").iter();
    let label = label.filter(|name| name["kind"] == "label").nth(1).expect("a label");
    let text = label["name"].as_str().expect("a name");
    let ask = |kind: &str, text: &str| json!({ "question": { "kind": kind, "text": text } });
    let reached = server.check(&ask("reach", text));
    assert_eq!(reached["answer"]["verdict"], "found", "{reached}");
    opens(&server, &reached, "error");
    assert_eq!(
        server.check(&ask("ltl", &format!("F {text}")))["answer"]["verdict"]
            .as_str()
            .map(|v| v == "violated" || v == "holds"),
        Some(true)
    );
    assert_eq!(server.check(&ask("invariant", "true"))["answer"]["verdict"], "holds");
    let never = server.check(&ask("exists", "F false"));
    assert_eq!(never["answer"]["verdict"], "refuted", "{never}");
}

#[test]
fn a_search_begins_where_the_run_is() {
    let server = Explorer::start("../../examples/spinlock.pml");
    let (_, walked) = server.post("/api/runs/r1/walk", &json!({ "at": 0, "steps": 12, "seed": 4 }));
    assert_eq!(walked["steps"], 12);
    let from = json!({ "run": "r1", "at": 9 });
    let ask = json!({ "question": { "kind": "reach", "text": "inside == 1" }, "from": from, "shortest": true });
    let found = server.check(&ask);
    assert_eq!(found["answer"]["verdict"], "found", "{found}");
    let id = opens(&server, &found, "error");
    let steps =
        |id: &str| server.get(&format!("/api/runs/{id}/steps?from=0&to=9"))["steps"].clone();
    assert_eq!(steps("r1"), steps(&id), "it begins with the steps up to there");
    let impossible =
        json!({ "question": { "kind": "reach", "text": "inside == 2" }, "from": from });
    assert_eq!(server.check(&impossible)["answer"]["verdict"], "refuted");
    // A formula is about the runs that go on from there.
    let formula =
        json!({ "question": { "kind": "ltl", "text": "[] (inside == 0)" }, "from": from });
    let found = server.check(&formula);
    assert_eq!(found["answer"]["verdict"], "violated", "{found}");
    let id = found["answer"]["run"].as_str().expect("a run");
    assert_eq!(steps("r1"), steps(id), "it begins with the steps up to there");
    let run = server.get(&format!("/api/runs/{id}"));
    assert!(run["title"].as_str().is_some_and(|title| title.ends_with("from position 9")), "{run}");
    let always = json!({ "question": { "kind": "ltl", "text": "[] (inside <= 1)" }, "from": from });
    assert_eq!(server.check(&always)["answer"]["verdict"], "holds");
}

#[test]
fn a_long_search_is_cancelled() {
    let server = Explorer::start("tests/data/endless.pml");
    let start = || server.post("/api/checks", &json!({ "question": { "kind": "safety" } }));
    let (status, check) = start();
    assert_eq!(status, 202);
    let id = check["id"].as_str().expect("an id").to_owned();
    loop {
        let now = server.get(&format!("/api/checks/{id}"));
        assert_eq!(now["state"], "running", "{now}");
        if now["progress"]["states"].as_u64().is_some_and(|states| states > 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(start().0, 202);
    let (status, full) = start();
    assert_eq!((status, &full["error"]["code"]), (409, &json!("not-now")));
    let (_, cancelled) = server.ask("DELETE", &format!("/api/checks/{id}"), "");
    assert_eq!(cancelled["state"], "cancelled");
    assert!(cancelled["answer"].is_null(), "a cut search says nothing");
    assert_eq!(start().0, 202, "there is room again");
    // One that is cut by its limit is inconclusive.
    for check in server.get("/api/checks")["checks"].as_array().expect("checks") {
        server.ask("DELETE", &format!("/api/checks/{}", check["id"].as_str().expect("an id")), "");
    }
    let cut = server.check(&json!({ "question": { "kind": "safety" }, "seconds": 1 }));
    assert_eq!(cut["answer"]["verdict"], "inconclusive", "{cut}");
    assert!(cut["answer"]["sentence"].as_str().is_some_and(|text| text.contains("Nobody knows")));
}

#[test]
fn a_long_lasso_of_many_processes_is_told_in_windows() {
    let server = Explorer::start("tests/data/long.pml");
    let found = server.check(&json!({ "question": { "kind": "named", "name": "high" } }));
    let id = opens(&server, &found, "loop");
    let run = server.get(&format!("/api/runs/{id}"));
    let (steps, start) = (run["steps"].as_u64().expect("steps"), run["loop_start"].as_u64());
    assert!(steps > 40_000 && start.is_some_and(|start| start < steps), "{run}");
    assert_eq!(run["processes"].as_array().map(Vec::len), Some(60));
    let property = found["answer"]["property"].as_str().expect("a property");
    let overview = server.get(&format!("/api/runs/{id}/overview?buckets=800&property={property}"));
    let who = overview["who"].as_array().expect("buckets");
    assert_eq!(who.len(), 800);
    let pairs = who.iter().flat_map(|bucket| bucket.as_array().expect("pairs"));
    let statements: u64 = pairs.map(|pair| pair[1].as_u64().expect("a count")).sum();
    assert!(statements >= steps, "every step is in a bucket");
    for from in [0, 20_000, steps - 100] {
        let to = from + 100;
        let window =
            server.get(&format!("/api/runs/{id}/steps?from={from}&to={to}&property={property}"));
        assert_eq!(window["steps"].as_array().map(Vec::len), Some(100));
        assert_eq!(window["truth"]["values"][0].as_str().map(str::len), Some(101));
        let state = server.get(&format!("/api/runs/{id}/states/{from}"));
        assert_eq!(state["processes"].as_array().map(Vec::len), Some(60));
    }
    assert_eq!(server.ask("GET", &format!("/api/runs/{id}/steps?from=0&to={steps}"), "").0, 400);
    let (status, linked) = server.post("/api/runs", &server.get(&format!("/api/runs/{id}/code")));
    assert_eq!(
        (status, &linked["steps"], &linked["loop_start"]),
        (201, &run["steps"], &run["loop_start"])
    );
}
