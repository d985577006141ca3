//! Runs are played, branched, closed, linked and saved, in Promela and DVE.

use serde_json::{Value, json};

use crate::support::Server;

fn ok(server: &Server, path: &str) -> Value {
    let got = server.get(path);
    assert_eq!(got.status, 200, "{path}: {got:?}");
    got.json()
}

fn done(server: &Server, path: &str, body: &Value) -> (u16, Value) {
    let got = server.post(path, &body.to_string());
    (got.status, got.json())
}

/// The names of all that must be there, and of nothing that is not.
#[test]
fn a_model_is_told() {
    for (model, language) in [("spinlock.pml", "promela"), ("mutex.dve", "dve")] {
        let server = Server::start(model, None);
        let about = ok(&server, "/api/model");
        assert_eq!(about["language"], language);
        assert_eq!(about["first_run"], "r1");
        let text = about["files"][0]["text"].as_str().expect("the source");
        for statement in about["statements"].as_array().expect("statements") {
            let place = &statement["place"];
            let number = |key: &str| place[key].as_u64().expect("a number") as usize;
            let line = text.lines().nth(number("line") - 1).expect("a line");
            assert!(number("column") <= line.len() + 1, "{statement}");
            assert!(number("end_line") >= number("line"));
        }
        let names = about["names"].as_array().expect("names");
        for name in names.iter().filter(|name| name["kind"] == "variable") {
            let text = format!("{} == 0", name["name"].as_str().expect("a name"));
            let body = json!({ "kind": "invariant", "text": text });
            let (status, found) = done(&server, "/api/formula", &body);
            assert_eq!((status, &found["ok"]), (200, &json!(true)), "{name}: {found}");
        }
    }
}

#[test]
fn steps_are_taken_and_branch() {
    for model in ["spinlock.pml", "peterson.pml", "mutex.dve", "peterson.dve"] {
        let server = Server::start(model, None);
        let start = ok(&server, "/api/runs/r1/states/0");
        let choices = start["steps"].as_array().expect("steps").len();
        assert!(choices >= 2, "{model}: two processes can move");
        let (status, run) = done(&server, "/api/runs/r1/step", &json!({ "at": 0, "choice": 0 }));
        assert_eq!((status, &run["id"], &run["steps"]), (200, &json!("r1"), &json!(1)), "{model}");
        // The same choice again changes nothing; another one branches.
        let (_, same) = done(&server, "/api/runs/r1/step", &json!({ "at": 0, "choice": 0 }));
        assert_eq!((&same["id"], &same["steps"]), (&json!("r1"), &json!(1)));
        let (status, branch) = done(&server, "/api/runs/r1/step", &json!({ "at": 0, "choice": 1 }));
        assert_eq!(
            (status, &branch["parent"], &branch["branch_at"]),
            (201, &json!("r1"), &json!(0))
        );
        let id = branch["id"].as_str().expect("an id");
        let body = json!({ "at": 1, "steps": 30, "seed": 5 });
        let (_, walked) = done(&server, &format!("/api/runs/{id}/walk"), &body);
        assert_eq!(walked["steps"], 31, "{model}: {walked}");
        // What the state says that a step would change is what it changes.
        for at in [0, 7, 30] {
            let state = ok(&server, &format!("/api/runs/{id}/states/{at}"));
            let steps = ok(&server, &format!("/api/runs/{id}/steps?from={at}&to={}", at + 1));
            let taken: Vec<&Value> = state["steps"]
                .as_array()
                .expect("steps")
                .iter()
                .filter(|s| s["taken"] == true)
                .collect();
            assert_eq!(taken.len(), 1, "{model} at {at}");
            assert_eq!(taken[0]["changed"], steps["steps"][0]["changed"]);
            let next = ok(&server, &format!("/api/runs/{id}/states/{}", at + 1));
            for change in taken[0]["changed"].as_array().expect("changes") {
                let values = next["values"].as_array().expect("values");
                let now = values.iter().find(|value| value["name"] == change["name"]);
                let now = now.expect("the variable");
                assert_eq!((&now["value"], &now["changed"]), (&change["value"], &json!(true)));
                assert_eq!(now["before"], change["before"]);
            }
        }
        assert_eq!(server.get(&format!("/api/runs/{id}/states/32")).status, 400);
        // A window is the same as its parts.
        let all = ok(&server, &format!("/api/runs/{id}/steps?from=0&to=31"));
        let part = ok(&server, &format!("/api/runs/{id}/steps?from=10&to=20"));
        assert_eq!(
            all["steps"].as_array().expect("steps")[10..20],
            part["steps"].as_array().expect("steps")[..]
        );
        let overview = ok(&server, &format!("/api/runs/{id}/overview?buckets=10"));
        assert_eq!(overview["who"].as_array().map(Vec::len), Some(10));
        let chart = server.get(&format!("/api/runs/{id}/chart.svg?from=5&to=15"));
        assert_eq!(chart.status, 200);
        assert!(
            chart.body.starts_with("<svg") && chart.body.contains("data-step=\"6\""),
            "{model}"
        );
    }
}

#[test]
fn a_link_holds_the_run() {
    for model in ["spinlock.pml", "mutex.dve"] {
        let server = Server::start(model, None);
        done(&server, "/api/runs/r1/walk", &json!({ "at": 0, "steps": 200, "seed": 3 }));
        let code = ok(&server, "/api/runs/r1/code");
        let (status, linked) = done(&server, "/api/runs", &code);
        assert_eq!((status, &linked["steps"]), (201, &json!(200)), "{model}");
        let id = linked["id"].as_str().expect("an id");
        let steps =
            |id: &str| ok(&server, &format!("/api/runs/{id}/steps?from=0&to=200"))["steps"].clone();
        assert_eq!(steps("r1"), steps(id));
        let other = Server::start("philosophers.pml", None);
        assert_eq!(done(&other, "/api/runs", &code).0, 422, "a link of another model");
    }
}

#[test]
fn a_played_run_is_saved_and_loaded() {
    for model in ["spinlock.pml", "mutex.dve"] {
        let server = Server::start(model, None);
        done(&server, "/api/runs/r1/walk", &json!({ "at": 0, "steps": 20, "seed": 9 }));
        let saved = ok(&server, "/api/runs/r1/save");
        assert_eq!(
            (&saved["format"], &saved["runs"][0]["kind"]),
            (&json!("lariat-lasso"), &json!("run"))
        );
        let (status, loaded) = done(&server, "/api/runs", &json!({ "saved": saved }));
        assert_eq!(status, 201, "{loaded}");
        let run = &loaded["runs"][0];
        assert_eq!(
            (&run["steps"], &run["origin"], &run["confirmed"]),
            (&json!(20), &json!("loaded"), &json!(false)),
            "nothing is claimed about it"
        );
        // A file that claims steps that the model cannot take is refused.
        let mut wrong = saved.clone();
        wrong["runs"][0]["steps"].as_array_mut().expect("steps").swap(0, 7);
        wrong["runs"][0]["steps"].as_array_mut().expect("steps").remove(3);
        let (status, refused) = done(&server, "/api/runs", &json!({ "saved": wrong }));
        assert_eq!(status, 422, "{refused}");
        let mut unknown = saved;
        unknown["runs"][0]["steps"][0][0][1] = json!(4_000_000);
        assert_eq!(done(&server, "/api/runs", &json!({ "saved": unknown })).0, 422);
    }
}

#[test]
fn waves_and_automata() {
    let server = Server::start("spinlock.pml", None);
    let (status, property) =
        done(&server, "/api/properties", &json!({ "kind": "named", "name": "served" }));
    assert_eq!(status, 201);
    let automaton = &property["automaton"];
    let states = automaton["states"].as_u64().expect("states") as usize;
    for edge in automaton["edges"].as_array().expect("edges") {
        assert!(edge["to"].as_u64().is_some_and(|to| (to as usize) < states), "{edge}");
    }
    done(&server, "/api/runs/r1/walk", &json!({ "at": 0, "steps": 300, "seed": 1 }));
    let all = ok(&server, "/api/runs/r1/steps?from=0&to=300&property=p1");
    let part = ok(&server, "/api/runs/r1/steps?from=100&to=150&property=p1");
    let wave = |answer: &Value| answer["truth"]["values"][0].as_str().expect("a wave").to_owned();
    assert_eq!(wave(&all).len(), 301);
    assert_eq!(wave(&all)[100..=150], wave(&part));
    assert!(wave(&all).contains('1') && wave(&all).contains('0'));
    assert_eq!(all["automaton"]["states"][120], part["automaton"]["states"][20]);
    // The whole graph, and its product with the property: somewhere it is violated.
    let graph = ok(&server, "/api/graph?max=1000&run=r1");
    assert_eq!((&graph["complete"], &graph["of"]), (&json!(true), &json!("states")));
    let nodes = graph["nodes"].as_array().expect("nodes").len();
    assert!(
        graph["run"]
            .as_array()
            .expect("the run")
            .iter()
            .all(|node| node.as_u64().is_some_and(|n| (n as usize) < nodes))
    );
    let product = ok(&server, "/api/graph?max=1000&property=p1");
    let accepting = product["components"]
        .as_array()
        .expect("components")
        .iter()
        .filter(|c| c["accepting"] == true);
    assert!(accepting.count() > 0);
    let id = graph["id"].as_str().expect("an id");
    let (status, run) = done(&server, "/api/runs", &json!({ "graph": id, "node": nodes - 1 }));
    assert_eq!(status, 201);
    assert_eq!(run["steps"], graph["nodes"][nodes - 1]["depth"], "a shortest way");
    let few = ok(&server, "/api/graph?max=5");
    assert_eq!(few["complete"], false);
    let near = ok(&server, "/api/graph?run=r1&at=10&radius=1");
    assert!(near["nodes"].as_array().expect("nodes").len() < nodes);
}

#[test]
fn a_loop_is_closed_where_the_states_are_the_same() {
    let server = Server::start("spinlock.pml", None);
    let (_, run) = done(&server, "/api/runs/r1/walk", &json!({ "at": 0, "steps": 60, "seed": 2 }));
    let start = run["same_as"].as_u64().expect("a lock has few states");
    let (status, closed) = done(&server, "/api/runs/r1/loop", &json!({ "start": start }));
    assert_eq!(
        (status, &closed["ending"], &closed["loop_start"]),
        (201, &json!("loop"), &json!(start))
    );
    let wrong = (0..60)
        .filter(|&at| at != start)
        .find(|&at| done(&server, "/api/runs/r1/loop", &json!({ "start": at })).0 == 422);
    assert!(wrong.is_some(), "most states are others");
}
