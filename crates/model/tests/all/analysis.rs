//! Enabling sets on real models: a step that changes nothing in the enabling set of another
//! process's edge neither enables nor disables that edge. Told by the interpreter, state by state.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;

use lariat_model::analysis::{Access, AccessSet};
use lariat_model::interp::{Expansion, Interp, Move};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{CommandId, LocationId, Model, ProctypeId};
use lariat_model::{dve, promela};
use lariat_testing::{PROMELA, corpus, facts, files, repository};

/// States of one model that are looked at.
const MOST_STATES: usize = 400;

type State = (Vec<u8>, Vec<u8>);

/// What is known of a state; None if a fault may hide some of its steps.
struct Seen {
    processes: Vec<(ProctypeId, LocationId)>,
    enabled: HashSet<(u8, CommandId)>,
    steps: Vec<(Vec<Move>, State)>,
}

/// How often an edge was changed by a step that may change it, and how many pairs of a step and
/// an edge have nothing to do with each other.
#[derive(Default)]
struct Tally {
    changed: u64,
    apart: u64,
}

fn look(interp: &mut Interp<'_>, (state, hidden): &State) -> Option<Seen> {
    let model = interp.model();
    let mut found = Expansion::new();
    interp.successors(state, hidden, &mut found);
    if !found.faults().is_empty() || found.diverges {
        return None;
    }
    let mut enabled = HashSet::new();
    let mut steps = Vec::new();
    for at in 0..found.len() {
        let moves = found.moves(at);
        // What comes later in an atomic sequence may have been enabled on the way.
        let first = if model.discipline == Discipline::Spin { 1 } else { moves.len() };
        enabled.extend(moves[..first].iter().map(|step| (step.pid, step.command)));
        steps.push((moves.to_vec(), (found.state(at).to_vec(), found.hidden(at).to_vec())));
    }
    interp.load_with_hidden(state, hidden);
    let processes = interp.processes().map(|process| (process.proctype, process.at)).collect();
    Some(Seen { processes, enabled, steps })
}

fn check(model: &Model, tally: &mut Tally) -> Result<(), String> {
    let mut interp = Interp::new(model).without_divergences();
    let Ok(initial) = interp.initial() else { return Ok(()) };
    let watcher = model.property.as_ref().map(|property| property.pid as usize);
    let accesses: Vec<AccessSet> =
        (0..model.commands.len()).map(|id| model.accesses(CommandId(id as u32))).collect();
    let mut sets: HashMap<(ProctypeId, LocationId, usize), Vec<Access>> = HashMap::new();
    let mut queue = VecDeque::from([initial.clone()]);
    let mut known: HashSet<State> = HashSet::from([initial]);
    while let Some(state) = queue.pop_front() {
        let Some(before) = look(&mut interp, &state) else { continue };
        for (moves, next) in &before.steps {
            if known.len() < MOST_STATES && known.insert(next.clone()) {
                queue.push_back(next.clone());
            }
            let Some(after) = look(&mut interp, next) else { continue };
            for (pid, &(proctype, at)) in before.processes.iter().enumerate() {
                let stays = after.processes.get(pid) == Some(&(proctype, at));
                let takes_part = moves.iter().any(|step| step.pid as usize == pid);
                if !stays || takes_part || watcher == Some(pid) {
                    continue;
                }
                let edges = &model.proctype(proctype).locations[at.0 as usize].edges;
                for (number, edge) in edges.iter().enumerate() {
                    let set = sets
                        .entry((proctype, at, number))
                        .or_insert_with(|| model.enabling(proctype, at, number));
                    let by = |step: &Move| accesses[step.command.0 as usize].may_change(set);
                    let may_change = moves.iter().any(by);
                    let this = (pid as u8, edge.command);
                    let changes = before.enabled.contains(&this) != after.enabled.contains(&this);
                    tally.changed += u64::from(changes);
                    tally.apart += u64::from(!may_change);
                    if changes && !may_change {
                        let text = |id: CommandId| &model.command(id).text;
                        let steps: Vec<_> = moves.iter().map(|step| text(step.command)).collect();
                        return Err(format!(
                            "{steps:?} changes `{}` of process {pid}, which depends on {set:?}",
                            text(edge.command)
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

fn check_file(path: &Path, tally: &mut Tally) {
    let told = |result: Result<(), String>| {
        result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    };
    if path.extension().is_some_and(|ending| ending == "dve") {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
        for property in [true, false] {
            let Ok(loaded) = dve::load_text("model.dve", &text, dve::DveOptions { property })
            else {
                continue;
            };
            told(check(&loaded.model, tally));
        }
    } else if let Ok(loaded) = promela::load(path, &promela::PromelaOptions::default()) {
        told(check(&loaded.model, tally));
    }
}

#[test]
fn nothing_else_enables_or_disables_in_promela() {
    let mut tally = Tally::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/combinations");
    let mut paths = facts("promela", 278);
    paths.extend(files(&folder, &["pml"]));
    paths.iter().for_each(|path| check_file(path, &mut tally));
    let Tally { changed, apart } = tally;
    println!("{changed} changes, {apart} times apart");
    assert!(changed > 500 && apart > 5_000, "{changed} {apart}");
}

#[test]
fn nothing_else_enables_or_disables_in_dve() {
    let mut tally = Tally::default();
    let mut paths = facts("dve", 159);
    paths.extend(files(&repository().join("examples"), &["dve"]));
    paths.iter().for_each(|path| check_file(path, &mut tally));
    let Tally { changed, apart } = tally;
    println!("{changed} changes, {apart} times apart");
    assert!(changed > 100 && apart > 40, "{changed} {apart}");
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn nothing_else_enables_or_disables_in_the_corpus() {
    let mut tally = Tally::default();
    let mut endings = PROMELA.to_vec();
    endings.push("dve");
    let paths = files(&corpus(), &endings);
    paths.iter().for_each(|path| check_file(path, &mut tally));
    let Tally { changed, apart } = tally;
    println!("{} models, {changed} changes, {apart} times apart", paths.len());
    assert!(changed > 10_000 && apart > 10_000, "{changed} {apart}");
}
