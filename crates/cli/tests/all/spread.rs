//! Searches over several processes by the command: answers of one process, faults, checkpoints.

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use lariat_testing::{corpus, needs, repository};
use serde_json::Value;

/// Tells what is made by tests that run side by side apart.
fn number() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{:x}.{}", std::process::id(), NEXT.fetch_add(1, Relaxed))
}

/// A folder of this test that is empty.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("lariat-spread-{name}-{}", number()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.0).expect("a folder").count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn lariat(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    lariat(arguments).output().expect("lariat")
}

fn model(name: &str) -> String {
    repository().join(name).display().to_string()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// What a report says of the model, and not of how it was searched.
fn answer(output: &Output) -> Value {
    let json: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", said(output)));
    match json.get("properties").and_then(Value::as_array) {
        None => {
            serde_json::json!([json["states"], json["transitions"], json["depth"], json["errors"]])
        }
        Some(properties) => properties
            .iter()
            .map(|of| serde_json::json!([of["name"], of["verdict"], of["violated"]]))
            .collect(),
    }
}

/// Processes with a hosts file and a secret of their own.
struct Cluster {
    folder: Folder,
    processes: usize,
}

impl Cluster {
    fn new(name: &str, processes: usize) -> Cluster {
        // Below those that connections are given by chance.
        let port = || {
            let mut tries = (0..100).map(|_| fastrand::u16(16_384..32_768));
            tries.find_map(|port| TcpListener::bind(("127.0.0.1", port)).ok()).expect("a port")
        };
        let free: Vec<TcpListener> = (0..processes).map(|_| port()).collect();
        let addresses = free.iter().map(|it| it.local_addr().expect("an address").to_string());
        Cluster::at(name, &addresses.collect::<Vec<_>>())
    }

    fn at(name: &str, addresses: &[String]) -> Cluster {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new(name);
        fs::write(folder.path("hosts"), addresses.join("\n")).expect("a file");
        fs::write(folder.path("secret"), "0123456789abcdef0123").expect("a file");
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(folder.path("secret"), private).expect("a file");
        Cluster { folder, processes: addresses.len() }
    }

    fn process(&self, number: usize, arguments: &[&str]) -> Command {
        let mut command = lariat(arguments);
        self.join(&mut command, number);
        command
    }

    fn join(&self, command: &mut Command, number: usize) {
        let (hosts, secret) = (self.folder.path("hosts"), self.folder.path("secret"));
        command.args(["--hosts", &hosts, "--secret", &secret, "--process", &number.to_string()]);
    }

    fn start(&self, arguments: &[&str]) -> Vec<Child> {
        (0..self.processes)
            .map(|number| self.process(number, arguments).spawn().expect("lariat"))
            .collect()
    }
}

fn ends(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect()
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

const EXAMPLES: [&str; 7] = [
    "examples/broken_mutex.pml",
    "examples/election.pml",
    "examples/mutex.pml",
    "examples/philosophers.pml",
    "examples/spinlock.pml",
    "examples/ticket.pml",
    "facts/models/ring.pml",
];

#[test]
fn several_processes_say_what_one_says() {
    for name in EXAMPLES {
        let model = model(name);
        let count = answer(&run(&["count", &model, "--json", "--threads", "1"]));
        let check = ["check", &model, "--json", "--no-save", "--no-por"];
        let verdicts = answer(&run(&check));
        for (processes, threads) in [("1", "2"), ("2", "1"), ("3", "1"), ("2", "2")] {
            let spread = ["--processes", processes, "--threads", threads, "--set-after", "30"];
            let many = run(&[&["count", &model, "--json"], &spread[..]].concat());
            assert_eq!(answer(&many), count, "{name} {spread:?}: {}", said(&many));
            let many = run(&[&check[..], &spread].concat());
            assert_eq!(answer(&many), verdicts, "{name} {spread:?}: {}", said(&many));
        }
    }
}

/// A search that takes longer than this test.
fn long() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/large.pml").display().to_string()
}

/// Process 0 gives no verdict, and says what happened.
fn assert_broken(outputs: &[Output], what: &str) {
    let output = said(&outputs[0]);
    assert_eq!(outputs[0].status.code(), Some(3), "{output}");
    assert!(output.contains("inconclusive: ") && output.contains(what), "{what}: {output}");
    assert!(!output.contains("holds") && !output.contains("states  "), "{output}");
}

#[test]
fn a_process_that_is_killed_or_stopped_ends_the_others() {
    for (how, what) in [("-KILL", "is gone"), ("-STOP", "no sign of life")] {
        let cluster = Cluster::new("killed", 3);
        let long = long();
        let children = cluster.start(&["count", &long]);
        std::thread::sleep(Duration::from_millis(1_500));
        signal(&children[2], how);
        let mut children = children;
        let mut last = children.pop().expect("three");
        assert_broken(&ends(children), what);
        let _ = last.kill();
        last.wait().expect("it ends");
    }
}

#[test]
fn processes_with_different_models_or_options_do_not_begin() {
    let cluster = Cluster::new("different", 2);
    let (one, other) = (model("examples/mutex.pml"), model("examples/ticket.pml"));
    // Two that differ in what they include.
    let folders = [Folder::new("included-1"), Folder::new("included-2")];
    let [included, changed] = [0, 1].map(|at| {
        fs::write(folders[at].path("last.h"), format!("#define LAST {at}\n")).expect("a file");
        let text =
            "#include \"last.h\"\nbyte x; init { do :: x < LAST -> x++ :: else -> break od }";
        fs::write(folders[at].path("one.pml"), text).expect("a file");
        folders[at].path("one.pml")
    });
    for (first, second, what) in [
        (vec!["check", &included], vec!["check", &changed], "differs: model:"),
        (vec!["check", &one], vec!["check", &other], "differs: model:"),
        (vec!["check", &one], vec!["check", &one, "--fair", "weak"], "differs: options:"),
    ] {
        let children = vec![
            cluster.process(0, &first).spawn().expect("lariat"),
            cluster.process(1, &second).spawn().expect("lariat"),
        ];
        let outputs = ends(children);
        assert_broken(&outputs, what);
        assert_eq!(outputs[1].status.code(), Some(3), "{}", said(&outputs[1]));
    }
}

#[test]
fn strangers_change_nothing() {
    let cluster = Cluster::new("strangers", 2);
    let model = model("examples/election.pml");
    let count = ["count", &model, "--json"];
    let expected = answer(&run(&[&count[..], &["--threads", "1"]].concat()));
    let first = cluster.process(0, &count).spawn().expect("lariat");
    let hosts = fs::read_to_string(cluster.folder.path("hosts")).expect("a file");
    let address = hosts.lines().next().expect("an address");
    let mut strangers = Vec::new();
    let bytes: [&[u8]; 4] = [b"", b"abc", &[0xFF; 8], b"GET / HTTP/1.1\r\n\r\n"];
    for said in bytes {
        let stranger = (0..200).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            TcpStream::connect(address).ok()
        });
        let mut stranger = stranger.expect("it listens");
        let _ = stranger.write_all(said);
        strangers.push(stranger);
    }
    let second = cluster.process(1, &count).spawn().expect("lariat");
    let outputs = ends(vec![first, second]);
    assert_eq!(answer(&outputs[0]), expected, "{}", said(&outputs[0]));
}

#[test]
fn ctrl_c_saves_and_another_number_of_processes_goes_on() {
    let folder = Folder::new("ctrl-c");
    let kept = folder.path("kept");
    let long = long();
    let count = ["count", &long];
    let often = ["--checkpoint", &kept, "--every", "0.001", "--set-after", "2000"];
    let command = [&count[..], &["--processes", "2"], &often].concat();
    let mut command_line = Command::new("env");
    command_line.args(["--default-signal=INT", env!("CARGO_BIN_EXE_lariat")]).args(&command);
    let child = command_line.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lariat");
    // Be the machine as busy as it may: there is something to save by then.
    while fs::read_dir(&kept).map_or(0, Iterator::count) < 2 {
        std::thread::sleep(Duration::from_millis(50));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("incomplete: interrupted") && text.contains("--resume"), "{text}");
    // It goes on from there, and is saved again.
    let again = [&count[..], &["--processes", "3", "--resume", &kept], &often[..2], &often[4..]];
    let output = run(&[&again.concat()[..], &["--time-limit", "1"]].concat());
    // On a busy machine it may not even be done with reading: then nothing was lost.
    let more = said(&output);
    assert!(output.status.code() == Some(3) && more.contains("the time limit"), "{more}");
    // It is not taken for a checkpoint of something else, nor lost by accident.
    let output = run(&["check", &long, "--resume", &kept]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let output = run(&[&count[..], &often].concat());
    assert!(said(&output).contains("has a checkpoint already"), "{}", said(&output));
    // Most of a file is not the file.
    let one = fs::read_dir(&kept).expect("a folder").next().expect("a file").expect("a file");
    let whole = fs::read(one.path()).expect("a file");
    fs::write(one.path(), &whole[..whole.len() - 9]).expect("a file");
    let output = run(&[&count[..], &["--resume", &kept], &often[4..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("is cut off"), "{}", said(&output));
}

/// Killed again and again, with other numbers of processes each time.
fn killed_and_gone_on_with(
    arguments: &[&str],
    random: &mut fastrand::Rng,
    patience: Duration,
) -> (Output, u32) {
    let folder = Folder::new("kill");
    let kept = folder.path("kept");
    let mut kills = 0;
    loop {
        let processes = random.usize(2..=4);
        let cluster = Cluster::new("kill-cluster", processes);
        let has_files =
            Path::new(&kept).exists() && Folder(PathBuf::from(&kept)).keep().files() > 0;
        let mut command = [arguments, &["--checkpoint", &kept, "--every", "0.001"]].concat();
        if has_files {
            command.extend(["--resume", &kept]);
        }
        let mut children = cluster.start(&command);
        let most = patience.as_millis() as u64 * u64::from(kills + 1);
        std::thread::sleep(Duration::from_millis(random.u64(100..200 + most)));
        let victim = random.usize(..processes);
        let _ = children[victim].kill();
        let outputs = ends(children);
        let is_done = outputs[0].status.code().is_some_and(|code| code < 2);
        if is_done || kills == 12 {
            return (outputs.into_iter().next().expect("process 0"), kills);
        }
        // Only half of a checkpoint may be there: nothing is lost but time.
        if run(&[arguments, &["--resume", &kept, "--time-limit", "0.01"]].concat()).status.code()
            == Some(2)
        {
            let _ = fs::remove_dir_all(&kept);
        }
        kills += 1;
    }
}

impl Folder {
    /// Not removed by this.
    fn keep(self) -> std::mem::ManuallyDrop<Folder> {
        std::mem::ManuallyDrop::new(self)
    }
}

#[test]
fn a_search_that_is_killed_goes_on() {
    let mut random = fastrand::Rng::with_seed(2026);
    // It takes some seconds, so that it is killed.
    let folder = Folder::new("killed-model");
    let model = folder.path("box.pml");
    let text = "byte a, b, c; active proctype p() { do :: a < 90 -> a++ :: b < 90 -> b++ :: c < 60 -> c++ od }";
    fs::write(&model, text).expect("a file");
    let count = ["count", &model, "--json"];
    let expected = answer(&run(&[&count[..], &["--threads", "1"]].concat()));
    let slowly = ["--set-after", "500", "--interpret", "--no-remembered-steps"];
    let arguments = [&count[..], &slowly].concat();
    let patience = Duration::from_millis(400);
    let (output, kills) = killed_and_gone_on_with(&arguments, &mut random, patience);
    assert_eq!(answer(&output), expected, "{}", said(&output));
    assert!(kills >= 3, "{kills} kills");
}

#[test]
fn a_claim_that_has_changed_is_another_question() {
    let folder = Folder::new("claim");
    let [kept, claim, long] = [folder.path("kept"), folder.path("claim.pml"), long()];
    fs::write(&claim, "never { do :: true od }").expect("a file");
    let check = ["check", &long, "--never", &claim, "--no-save", "--set-after", "200"];
    let cut = ["--processes", "2", "--checkpoint", &kept, "--cut-after", "1000"];
    let output = run(&[&check[..], &["--restart-after", "50"], &cut].concat());
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("saved: "), "{}", said(&output));
    fs::write(&claim, "never { do :: true :: true od }").expect("a file");
    let again = [&check[..], &["--restart-after", "50", "--resume", &kept]].concat();
    let output = run(&again);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("claim.pml"), "{}", said(&output));
}

/// A disk with room for no checkpoint; gone when dropped.
struct Small(PathBuf);

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[ignore = "needs root"]
fn a_full_disk_is_an_error_and_the_last_checkpoint_stays() {
    let folder = Folder::new("full-disk");
    let disk = folder.path("disk");
    fs::create_dir(&disk).expect("a folder");
    let mount = ["-t", "tmpfs", "-o", "size=400k", "tmpfs", &disk];
    assert!(Command::new("mount").args(mount).status().expect("mount").success(), "needs root");
    let small = Small(PathBuf::from(&disk));
    let kept = folder.path("disk/kept");
    let long = long();
    let count = ["count", &long, "--set-after", "500", "--processes", "2"];
    // Small enough at first.
    let save = ["--checkpoint", &kept, "--cut-after", "1000"];
    let output = run(&[&count[..], &save].concat());
    assert!(said(&output).contains("saved: "), "{}", said(&output));
    let before = Folder(PathBuf::from(&kept)).keep().files();
    let more = ["--resume", &kept, "--checkpoint", &kept, "--cut-after", "400000"];
    let output = run(&[&count[..], &more].concat());
    let text = said(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("no checkpoint could be written") && text.contains("No space"), "{text}");
    assert!(text.contains("the last checkpoint is in"), "{text}");
    assert_eq!(Folder(PathBuf::from(&kept)).keep().files(), before, "{text}");
    // It is whole, and can be gone on with.
    let output = run(&[&count[..], &["--resume", &kept, "--time-limit", "1"]].concat());
    let text = said(&output);
    assert!(output.status.code() == Some(3) && text.contains("the time limit"), "{text}");
    drop(small);
}

/// Namespaces with a network between them; gone when dropped.
struct Network(Vec<String>);

fn ip(arguments: &str) {
    let done = Command::new("ip").args(arguments.split(' ')).output().expect("iproute2");
    assert!(done.status.success(), "ip {arguments}: {}", String::from_utf8_lossy(&done.stderr));
}

impl Network {
    fn new(processes: usize) -> Network {
        let number = number();
        let name = |side| format!("larc{number}.{side}");
        let network = Network((0..=processes).map(name).collect());
        network.0.iter().for_each(|name| ip(&format!("netns add {name}")));
        let bridge = &network.0[0];
        ip(&format!("-n {bridge} link add bridge0 type bridge"));
        ip(&format!("-n {bridge} link set bridge0 up"));
        for (side, name) in network.0.iter().enumerate().skip(1) {
            ip(&format!("-n {name} link add link0 type veth peer name side{side} netns {bridge}"));
            ip(&format!("-n {bridge} link set side{side} master bridge0"));
            ip(&format!("-n {bridge} link set side{side} up"));
            ip(&format!("-n {name} addr add 10.78.0.{side}/24 dev link0"));
            ip(&format!("-n {name} link set lo up"));
            ip(&format!("-n {name} link set link0 up"));
        }
        network
    }

    /// What process 0 says.
    fn run(&self, arguments: &[&str], processes: usize) -> Output {
        let (_cluster, children) = self.start(arguments, processes);
        ends(children).swap_remove(0)
    }

    fn start(&self, arguments: &[&str], processes: usize) -> (Cluster, Vec<Child>) {
        let addresses: Vec<String> =
            (1..=processes).map(|side| format!("10.78.0.{side}:21200")).collect();
        let cluster = Cluster::at("namespaces", &addresses);
        let start = |process: usize| {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", &self.0[process + 1], env!("CARGO_BIN_EXE_lariat")]);
            command.args(arguments).stdin(Stdio::null());
            cluster.join(&mut command, process);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("ip")
        };
        let children = (0..processes).map(start).collect();
        (cluster, children)
    }

    /// The link of a process.
    fn link(&self, process: usize, state: &str) {
        ip(&format!("-n {} link set link0 {state}", self.0[process + 1]));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in &self.0 {
            let _ = Command::new("ip").args(["netns", "del", name]).status();
        }
    }
}

#[test]
#[ignore = "needs root and iproute2"]
fn links_that_are_cut_or_slow() {
    needs("ip");
    let network = Network::new(2);
    let folder = Folder::new("links");
    let model = folder.path("box.pml");
    let text = "byte a, b, c; active proctype p() { do :: a < 90 -> a++ :: b < 90 -> b++ :: c < 60 -> c++ od }";
    fs::write(&model, text).expect("a file");
    let count = ["count", &model, "--json"];
    let expected = answer(&run(&[&count[..], &["--threads", "1"]].concat()));
    let slowly =
        [&count[..], &["--set-after", "500", "--interpret", "--no-remembered-steps"]].concat();
    // For a second and a half: nothing is lost.
    let (_cluster, children) = network.start(&slowly, 2);
    std::thread::sleep(Duration::from_millis(700));
    network.link(1, "down");
    std::thread::sleep(Duration::from_millis(1_500));
    network.link(1, "up");
    let outputs = ends(children);
    assert_eq!(answer(&outputs[0]), expected, "{}", said(&outputs[0]));
    // For ever.
    let long = long();
    let (_cluster, children) = network.start(&["count", &long], 2);
    std::thread::sleep(Duration::from_millis(1_500));
    network.link(1, "down");
    assert_broken(&ends(children), "no sign of life");
    network.link(1, "up");
    // Slow: 8 Mbit/s.
    let limit = ["qdisc", "add", "dev", "link0", "root", "tbf", "rate", "8mbit"];
    let more = ["burst", "32kb", "latency", "50ms"];
    let tc = Command::new("tc").args(["-n", &network.0[2]]).args(limit).args(more).output();
    assert!(tc.expect("tc").status.success());
    let output = network.run(&slowly, 2);
    assert_eq!(answer(&output), expected, "{}", said(&output));
}

/// Models of BEEM, with what LTSmin says of them: so many that hold, so many that are violated, or so many to be counted.
fn of_beem(verdict: &str, most: usize) -> Vec<String> {
    let table = fs::read_to_string(corpus().join("beem/ltsmin_ref.csv")).expect("a table");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let states: u64 = cells.get(2)?.parse().ok()?;
        let is_one = cells[1] == "ok" && cells[4] == verdict && (2_000..600_000).contains(&states);
        let path = corpus().join("beem/dve").join(cells[0]);
        (is_one && path.exists()).then(|| path.display().to_string())
    };
    table.lines().filter_map(row).take(most).collect()
}

#[test]
#[ignore = "needs root, iproute2 and LARIAT_CORPUS"]
fn models_of_the_corpus_in_namespaces() {
    needs("ip");
    let network = Network::new(4);
    let mut random = fastrand::Rng::with_seed(60);
    let (mut all, mut violated, mut kills) = (0, 0, 0);
    let temporal = [of_beem("holds", 15), of_beem("violated", 15)].concat();
    for (number, path) in of_beem("", 30).iter().chain(&temporal).enumerate() {
        let commands: Vec<Vec<&str>> = match temporal.contains(path) {
            true => vec![vec!["check", path]],
            false => vec![vec!["count", path], vec!["check", path, "--safety", "--deadlock"]],
        };
        for command in commands {
            let is_count = command[0] == "count";
            let alone =
                if is_count { vec!["--threads", "1"] } else { vec!["--no-por", "--no-save"] };
            let command = [&command[..], &["--json"]].concat();
            let alone = run(&[&command[..], &alone].concat());
            let expected = answer(&alone);
            all += 1;
            violated += u32::from(alone.status.code() == Some(1));
            let save: &[&str] = if is_count { &[] } else { &["--no-save"] };
            for processes in 2..=4 {
                for free in [false, true] {
                    let mut arguments = [&command[..], save, &["--set-after", "1000"]].concat();
                    if free {
                        arguments.push("--free");
                    }
                    let many = network.run(&arguments, processes);
                    let mut found = answer(&many);
                    if free && is_count {
                        found[2] = expected[2].clone();
                    }
                    assert_eq!(found, expected, "{arguments:?}, {processes}: {}", said(&many));
                }
            }
            if number % 5 == 0 {
                let arguments = [&command[..], save, &["--set-after", "1000"]].concat();
                let patience = Duration::from_millis(700);
                let (output, killed) = killed_and_gone_on_with(&arguments, &mut random, patience);
                assert_eq!(answer(&output), expected, "{arguments:?}: {}", said(&output));
                kills += killed;
            }
            println!("{}: {expected}", command.join(" "));
        }
    }
    println!("{all} questions, {violated} violated, {kills} kills");
    // On a quick machine most are done before they are killed; `a_search_that_is_killed_goes_on` sees to that.
    assert!(all >= 60 && violated >= 15, "{all}, {violated}");
}
