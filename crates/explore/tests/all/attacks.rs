//! What a page of another site, another machine or a broken program might try. Each is refused or
//! bounded, and the server answers others afterwards.

use std::io::Write;

use serde_json::json;

use crate::support::{Server, answer};

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn pages_of_others_are_refused() {
    let server = Server::start("spinlock.pml", None);
    let own = format!("Origin: http://{}\r\n", server.address);
    assert_eq!(server.ask("GET", "/api/model", &own, "").status, 200, "the page itself may");
    // 1 to 5: another origin, an opaque one, this machine's other ports, several origins, https.
    let other_port = format!("Origin: http://127.0.0.1:{}\r\n", server.address.port() ^ 1);
    let https = format!("Origin: https://{}\r\n", server.address);
    let twice = format!("{own}Origin: http://evil.example\r\n");
    for origin in
        ["Origin: http://evil.example\r\n", "Origin: null\r\n", &other_port, &https, &twice]
    {
        let got = server.ask("GET", "/api/model", origin, "");
        assert_eq!((got.status, got.code().as_str()), (403, "wrong-origin"), "{origin}");
        assert!(!got.body.contains("proctype"), "nothing of the model is told");
    }
    // 6: a picture or script of another page has no origin, but the browser says where it is.
    let got = server.ask("GET", "/api/model", "Sec-Fetch-Site: cross-site\r\n", "");
    assert_eq!(got.status, 403);
    // 7: a form of another page cannot say that it is JSON.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let got = server.ask("POST", "/api/runs", &format!("Content-Type: {kind}\r\n"), "{}");
        assert_eq!(got.status, 415, "{kind}");
    }
    assert_eq!(server.ask("POST", "/api/runs", "", "{}").status, 415);
    assert!(server.is_well());
}

#[test]
fn names_of_others_are_refused() {
    let server = Server::start("spinlock.pml", None);
    let port = server.address.port();
    // 8: a name that was made to mean 127.0.0.1; 9: no host, two hosts, another port.
    for hosts in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example:{port}\r\n"),
        String::new(),
    ] {
        let text = format!("GET /api/model HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let got = server.raw(text.as_bytes());
        assert_eq!((got.status, got.code().as_str()), (403, "wrong-host"), "{hosts}");
    }
    assert!(server.is_well());
}

#[test]
fn others_need_the_token() {
    let server = Server::start("spinlock.pml", Some("0123456789abcdef"));
    // 10: none, a wrong one, a part of it, one in the address.
    for headers in [
        "",
        "Authorization: Bearer x\r\n",
        "Authorization: Bearer 0123456789abcde\r\n",
        "Authorization: 0123456789abcdef\r\n",
        "Authorization: Basic 0123456789abcdef\r\n",
    ] {
        let got = server.ask("GET", "/api/model?token=0123456789abcdef", headers, "");
        assert_eq!((got.status, got.code().as_str()), (401, "no-token"), "{headers}");
    }
    let right = "Authorization: Bearer 0123456789abcdef\r\n";
    assert_eq!(server.ask("GET", "/api/model", right, "").status, 200);
}

#[test]
fn nothing_else_of_the_disk_is_there() {
    let server = Server::start("spinlock.pml", None);
    // 11: ways out of the folder of the page.
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "/page/../../Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/api/../../../etc/passwd",
        "/index.html/../../Cargo.toml",
        "/C:%5cwindows",
        "/%00",
    ] {
        let got = server.get(path);
        assert!(matches!(got.status, 400 | 404), "{path}: {got:?}");
        assert!(!got.body.contains("root:") && !got.body.contains("[package]"), "{path}");
    }
    // 12: a saved run names files; they are not read.
    let saved = json!({
        "format": "lariat-lasso", "version": 1, "lariat": "0",
        "model": {
            "path": "/etc/passwd", "sha256": "0", "claims": ["/etc/passwd"],
            "options": {
                "defines": [], "include_dirs": ["/etc"], "lose_messages": false,
                "ignore_priorities": false,
            },
        },
        "runs": [],
    });
    let got = server.post("/api/runs", &json!({ "saved": saved }).to_string());
    assert_eq!(got.status, 422, "{got:?}");
    assert!(!got.body.contains("root:"));
    // An expression cannot include one either.
    let text = json!({ "kind": "invariant", "text": "\n#include \"/etc/passwd\"\n1" });
    let got = server.post("/api/formula", &text.to_string());
    assert!(!got.body.contains("root:"), "{got:?}");
    assert!(server.is_well());
}

#[test]
fn what_is_too_large_is_refused() {
    let server = Server::start("spinlock.pml", None);
    let host = server.address;
    let start = format!("POST /api/runs HTTP/1.1\r\nHost: {host}\r\n{JSON}");
    // 13: a body that is too large, or says so; lengths that are no numbers; chunks.
    for (headers, status) in [
        ("Content-Length: 99999999\r\n", 413),
        ("Content-Length: 99999999999999999999999999\r\n", 413),
        ("Content-Length: -1\r\n", 400),
        ("Content-Length: 1e3\r\n", 400),
        ("Content-Length: 2\r\nContent-Length: 3\r\n", 400),
        ("Transfer-Encoding: chunked\r\n", 411),
        ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", 411),
        ("", 411),
    ] {
        let got = server.raw(format!("{start}{headers}\r\n{{}}").as_bytes());
        assert_eq!(got.status, status, "{headers}");
    }
    let huge = format!("{start}Content-Length: 3000000\r\n\r\n{}", "x".repeat(3_000_000));
    assert_eq!(server.raw(huge.as_bytes()).status, 413);
    // 14: headers without end, by number and by length; an address without end.
    let many = "X-A: b\r\n".repeat(1000);
    let got = server.raw(format!("GET / HTTP/1.1\r\nHost: {host}\r\n{many}\r\n").as_bytes());
    assert_eq!(got.status, 431);
    let long = "x".repeat(1 << 20);
    let got = server.raw(format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n").as_bytes());
    assert_eq!(got.status, 431);
    let got = server.raw(format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
    assert_eq!(got.status, 431);
    assert!(server.is_well());
}

#[test]
fn slow_clients_are_left() {
    let server = Server::start("spinlock.pml", None);
    // 15: a head that drips for ever, and a body that never comes.
    let mut dripping = server.connect();
    let head = b"GET / HTTP/1.1\r\nX-Long: ".iter().chain(std::iter::repeat(&b'a'));
    // Fewer than there may be in a head.
    let is_left = head.take(3000).any(|&byte| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        dripping.write_all(&[byte]).is_err()
    });
    assert!(is_left, "the server reads as long as somebody sends");
    let host = server.address;
    let mut waiting = server.connect();
    let head =
        format!("POST /api/runs HTTP/1.1\r\nHost: {host}\r\n{JSON}Content-Length: 5\r\n\r\n");
    waiting.write_all(head.as_bytes()).expect("the head");
    // Whoever is stopped for a while on a busy machine is late with the head already.
    assert!(matches!(answer(&mut waiting).status, 408 | 0));
    // Nothing at all is no error, but does not stay.
    assert_eq!(answer(&mut server.connect()).status, 0);
    assert!(server.is_well());
}

#[test]
fn many_clients_are_bounded() {
    let server = Server::start("spinlock.pml", None);
    // 16: more connections than there may be, all silent.
    let mut crowd: Vec<_> = (0..40).map(|_| server.connect()).collect();
    let refused = crowd.iter_mut().map(answer).filter(|got| got.status == 503).count();
    assert!((1..40).contains(&refused), "{refused} of 40 were turned away");
    drop(crowd);
    // Those who were silent are gone by now, and others are let in.
    assert!(server.is_well());
}

#[test]
fn nonsense_is_refused() {
    let server = Server::start("spinlock.pml", None);
    // 17: methods and protocols that are not known here.
    for method in ["PUT", "TRACE", "CONNECT", "OPTIONS", "HEAD", "PATCH", "get", "GETX"] {
        assert_eq!(server.ask(method, "/api/model", "", "").status, 405, "{method}");
    }
    assert_eq!(server.ask("DELETE", "/api/model", "", "").status, 405);
    assert_eq!(server.ask("GET", "/api/formula", "", "").status, 405);
    assert_eq!(server.raw(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n").status, 400, "TLS");
    assert_eq!(server.raw(b"GET\r\n\r\n").status, 400);
    assert_eq!(server.raw(&[0; 3000]).status, 400);
    // 18: bad JSON, wrong types, unknown keys, nesting without end.
    let deep = "[".repeat(200_000);
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"at\": 0}",
        "{\"at\": \"0\", \"choice\": 0}",
        "\u{0}",
        &deep,
        "{\"at\": 0, \"choice\": 0, \"more\": 1}",
    ] {
        let got = server.post("/api/runs/r1/step", body);
        assert_eq!(got.status, 400, "{body:.40}");
    }
    // 19: huge numbers.
    for path in [
        "/api/runs/r1/steps?from=0&to=18446744073709551615",
        "/api/runs/r1/steps?from=18446744073709551615&to=0",
        "/api/runs/r1/steps?from=99999999999999999999999",
        "/api/runs/r1/steps?from=-1",
        "/api/runs/r1/states/18446744073709551615",
        "/api/runs/r1/overview?buckets=18446744073709551615",
        "/api/runs/r1/overview?buckets=0",
        "/api/runs/r1/chart.svg?from=5&to=4",
        "/api/graph?max=18446744073709551615",
        "/api/graph?max=0",
        "/api/graph?run=r1&at=7",
    ] {
        let status = server.get(path).status;
        // The run has no steps: what is asked for is cut to that, or refused.
        assert!(status == 400 || path.contains("to=1844") && status == 200, "{path}: {status}");
    }
    for body in [
        "{\"at\": 18446744073709551615, \"choice\": 0}",
        "{\"at\": 0, \"choice\": 18446744073709551615}",
        "{\"at\": 1e300, \"choice\": 0}",
    ] {
        assert_eq!(server.post("/api/runs/r1/step", body).status, 400, "{body}");
    }
    let walk = "{\"at\": 0, \"steps\": 18446744073709551615, \"seed\": 1}";
    assert_eq!(server.post("/api/runs/r1/walk", walk).json()["steps"], 1000, "a walk is bounded");
    for code in ["", "1", "1.x.o.A", "9.a.b.c", "1.0.l99999999999999999999.A"] {
        let got = server.post("/api/runs", &json!({ "code": code }).to_string());
        assert!(matches!(got.status, 400 | 422), "{code}: {got:?}");
    }
    assert!(server.is_well());
}

#[test]
fn formulas_and_tables_are_bounded() {
    let server = Server::start("spinlock.pml", None);
    // 20: formulas without end, and those that are short but blow up.
    let long = format!("[] ({})", "inside == 0 && ".repeat(100_000));
    for (path, kind) in [("formula", "ltl"), ("properties", "ltl"), ("formula", "invariant")] {
        let body = json!({ "kind": kind, "text": long }).to_string();
        assert!(matches!(server.post(&format!("/api/{path}"), &body).status, 400 | 413));
    }
    let deep = format!("{}inside == 0{}", "(".repeat(1900), ")".repeat(1900));
    for kind in ["ltl", "exists", "invariant", "reach"] {
        let body = json!({ "kind": kind, "text": deep }).to_string();
        assert_eq!(server.post("/api/formula", &body).status, 200, "{kind}");
    }
    let parts: Vec<String> = (0..40).map(|n| format!("([]<> (inside == {n}))")).collect();
    let body = json!({ "kind": "ltl", "text": format!("!({})", parts.join(" && ")) });
    let status = server.post("/api/properties", &body.to_string()).status;
    assert!(matches!(status, 201 | 422), "{status}");
    // 21: more runs, properties and checks than are kept.
    for _ in 0..100 {
        assert_eq!(server.post("/api/runs", "{}").status, 201);
    }
    let runs = server.get("/api/runs").json()["runs"].as_array().map_or(0, Vec::len);
    assert_eq!(runs, 64);
    for n in 0..50 {
        let body = json!({ "kind": "reach", "text": format!("inside == {n}") }).to_string();
        assert_eq!(server.post("/api/properties", &body).status, 201);
    }
    let known = server.get("/api/properties").json()["properties"].as_array().map_or(0, Vec::len);
    assert_eq!(known, 32);
    assert!(server.is_well());
}

#[test]
fn a_search_that_crashes_is_not_the_end() {
    let server = Server::start("spinlock.pml", None);
    // 22: the worker of these tests kills itself.
    let got = server.post("/api/checks", "{\"question\": {\"kind\": \"safety\"}}");
    assert_eq!(got.status, 202, "{got:?}");
    let id = got.json()["id"].as_str().expect("an id").to_owned();
    let check = loop {
        let check = server.get(&format!("/api/checks/{id}")).json();
        if check["state"] != "running" {
            break check;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert_eq!(check["state"], "failed", "{check}");
    assert!(check["answer"].is_null(), "a search that crashed has no answer");
    assert!(check["failure"].as_str().is_some_and(|why| why.contains("without an answer")));
    assert!(server.is_well());
}

#[test]
fn every_answer_forbids_what_the_page_does_not_need() {
    let server = Server::start("spinlock.pml", None);
    for path in ["/", "/api/model", "/nowhere"] {
        let head = server.get(path).head;
        for header in [
            "Content-Security-Policy: default-src 'none'",
            "X-Content-Type-Options: nosniff",
            "Cache-Control: no-store",
            "X-Frame-Options: DENY",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!head.contains("Access-Control-Allow"), "no other page may read it");
    }
}
