//! Choices depend on the state alone, and kinds on what the steps of a process look at.

use std::collections::HashMap;

use lariat_model::analysis::{Constants, Fixed, Footprint, Objects, Population, footprints};
use lariat_model::interp::Interp;
use lariat_model::ir::layout::{FRAME_LOCATION, HEADER_SIZE};
use lariat_model::ir::{ChannelTypeId, Init, Model};
use lariat_por::{Kind, Looks, Reduction};
use lariat_testing::facts;

use crate::common::{SHORTCUTS, load, shorten};
use crate::explore::{Explored, Order, explore};

const MOST: usize = 300;

fn for_each_model(mut test: impl FnMut(&Model, &str)) {
    for folder in ["promela", "dve", "models"] {
        for path in facts(folder, 8) {
            for shortcuts in SHORTCUTS {
                if let Some(model) = load(&path) {
                    test(&shorten(model, shortcuts), &path.display().to_string());
                }
            }
        }
    }
}

const NOTHING: Looks<'static> = Looks { propositions: &[], fairness: false };

#[test]
fn choices_do_not_depend_on_the_order_of_states() {
    let mut compared = 0;
    for_each_model(|model, name| {
        let Ok(mut one) = Reduction::new(model, NOTHING) else { return };
        let mut other = Reduction::new(model, NOTHING).expect("as before");
        let first = explore(model, &mut one, Order::BreadthFirst, true, MOST);
        let second = explore(model, &mut other, Order::DepthFirst, true, MOST);
        let mut renamed: HashMap<Kind, Kind> = HashMap::new();
        for (state, here) in &first.states {
            let Some(there) = second.states.get(state) else { continue };
            compared += 1;
            assert_eq!(here.choice, there.choice, "{name}");
            assert_eq!(here.kinds.len(), there.kinds.len(), "{name}");
            for (&one, &other) in here.kinds.iter().zip(&there.kinds) {
                assert_eq!(*renamed.entry(one).or_insert(other), other, "{name}");
            }
        }
    });
    assert!(compared > 5_000, "only {compared} states");
}

#[test]
fn kinds_depend_on_the_footprint_of_the_process() {
    let mut compared = 0;
    for_each_model(|model, name| {
        let Ok(mut reduction) = Reduction::new(model, NOTHING) else { return };
        let Ok(constants) = Constants::of(model) else { return };
        let explored = explore(model, &mut reduction, Order::BreadthFirst, true, MOST);
        compared += compare(model, &constants, &explored, name);
    });
    assert!(compared > 4_000, "only {compared} kinds were met again");
}

/// Models whose processes are the same ones in all states; how many kinds were foretold.
fn compare(model: &Model, constants: &Constants<'_>, explored: &Explored, name: &str) -> usize {
    let mut interp = Interp::new(model);
    interp.load(constants.initial());
    let processes: Vec<Fixed> = (interp.processes())
        .map(|process| constants.fixed(process.proctype, &constants.initial()[process.base..]))
        .collect();
    let mut channels: Vec<ChannelTypeId> = Vec::new();
    for init in &model.global_inits {
        if let Init::Channels { count, channel, .. } = init {
            channels.extend(std::iter::repeat_n(*channel, *count as usize));
        }
    }
    for process in &processes {
        channels.extend(&model.proctype(process.proctype).channels);
    }
    let population = Population { processes, channels };
    let footprints = footprints(constants, &population);
    let mut known: HashMap<(usize, u32, Vec<u8>), Kind> = HashMap::new();
    let mut met_again = 0;
    for (state, visited) in &explored.states {
        interp.load(state);
        let bases: Vec<usize> = interp.processes().map(|process| process.base).collect();
        if bases.len() != population.processes.len() || bases.len() != visited.kinds.len() {
            continue;
        }
        for (pid, &base) in bases.iter().enumerate() {
            let at = base + FRAME_LOCATION;
            let location = u16::from_le_bytes([state[at], state[at + 1]]) as usize;
            let mut looked_at = vec![state[at], state[at + 1]];
            match &footprints[pid][location] {
                Footprint::Everything => continue,
                Footprint::Nothing => {}
                Footprint::Only(objects) => {
                    looked_at.extend(&state[..HEADER_SIZE as usize]);
                    add(model, &population, &bases, objects, state, &mut looked_at);
                }
            }
            let key = (pid, visited.steps[pid], looked_at);
            let kind = visited.kinds[pid];
            met_again += known.contains_key(&key) as usize;
            assert_eq!(*known.entry(key).or_insert(kind), kind, "{name}: process {pid}");
        }
    }
    met_again
}

/// Appends the bytes of some objects.
fn add(
    model: &Model,
    population: &Population,
    bases: &[usize],
    objects: &Objects,
    state: &[u8],
    out: &mut Vec<u8>,
) {
    for &(start, end) in &objects.globals {
        out.extend(&state[start as usize..end as usize]);
    }
    for pid in objects.processes.iter() {
        let end = bases.get(pid + 1).copied().unwrap_or(state.len());
        out.extend(&state[bases[pid]..end]);
    }
    for pid in objects.controls.iter() {
        out.extend(&state[bases[pid]..bases[pid] + 4]);
    }
    for id in objects.channels.iter() {
        // Channels of processes are looked at with the whole state here.
        let before = &population.channels[..id as usize - 1];
        let size = |ty: &ChannelTypeId| model.channel_types[ty.0 as usize].size as usize;
        let start = model.globals_size as usize + before.iter().map(size).sum::<usize>();
        if start < bases.first().copied().unwrap_or(0) {
            out.extend(&state[start..start + size(&population.channels[id as usize - 1])]);
        } else {
            out.extend(state);
        }
    }
}
