//! Which bytes of a row the steps of a process depend on or change, by its control point: what
//! the analysis of the model says, for rows whose processes are where a layout has them.

use std::collections::HashMap;

use lariat_core::{Factor, makes_mistake};
use lariat_model::analysis::{
    self, Conditions, Footprint, Objects, Own, Span, conditions, factors, footprint_by_frame,
    footprints, observed,
};
use lariat_model::ir::layout::{CHANNEL_HEADER, FRAME_HEADER, HEADER_SIZE};
use lariat_model::ir::{ExprId, Region};

use crate::facts::ModelFacts;
use crate::layout::Layout;

/// Bytes of a row, as bits.
pub(crate) type Bytes = Box<[u64]>;

/// What the processes of a layout touch.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    /// By pid and control point; None where everything may be touched.
    at: Vec<Vec<Option<Bytes>>>,
    /// The same as parts of a state.
    all: Vec<Vec<Footprint>>,
    /// By pid and control point: the words that decide which commands can be executed; None where
    /// that may be all.
    conditions: Vec<Vec<Option<Box<[u32]>>>>,
    /// By byte.
    classes: Vec<u32>,
    /// What the propositions look at; None where that may be everything.
    observed: Option<Bytes>,
}

impl Footprints {
    pub(crate) fn of(facts: &ModelFacts<'_>, layout: &Layout, propositions: &[ExprId]) -> Self {
        let bytes = |footprint: &Footprint| bytes(facts, layout, footprint);
        let all = footprints(&facts.constants, &layout.population);
        let at: Vec<Vec<Option<Bytes>>> =
            all.iter().map(|process| process.iter().map(bytes).collect()).collect();
        let classes = classes(&at, facts.row as usize);
        let observed = bytes(&observed(&facts.constants, &layout.population, propositions));
        let conditions = conditions(&facts.constants, &layout.population)
            .iter()
            .enumerate()
            .map(|(pid, process)| {
                let of_point = |found: &Option<Conditions>| {
                    Some(condition_words(facts, layout, pid, found.as_ref()?))
                };
                process.iter().map(of_point).collect()
            })
            .collect();
        Footprints { at, all, conditions, classes, observed }
    }

    pub(crate) fn observed(&self) -> Option<&[u64]> {
        self.observed.as_deref()
    }

    pub(crate) fn len(&self) -> usize {
        self.at.len()
    }

    pub(crate) fn at(&self, pid: usize, location: usize) -> Option<&[u64]> {
        self.at[pid].get(location)?.as_deref()
    }

    /// The same by what is known of the process's own variables.
    pub(crate) fn by_frame(
        &self,
        facts: &ModelFacts<'_>,
        layout: &Layout,
        (pid, location): (usize, usize),
        own: Own<'_>,
    ) -> Option<Bytes> {
        self.all[pid].get(location)?;
        let at = (pid, location);
        let found = footprint_by_frame(&facts.constants, &layout.population, &self.all, at, own);
        bytes(facts, layout, &found)
    }

    /// The factors of the only command, if it has some.
    pub(crate) fn factors(
        &self,
        facts: &ModelFacts<'_>,
        layout: &Layout,
        (pid, location): (usize, usize),
    ) -> Option<Vec<Factor>> {
        let found = factors(&facts.constants, &layout.population, (pid, location))?;
        let of_spans = |spans: &[Span]| bytes_of_spans(facts, layout.frames[pid], spans);
        let bytes = |factor: &analysis::Factor| Factor {
            touched: of_spans(&factor.touched),
            written: of_spans(&factor.written),
            has_condition: factor.has_condition,
        };
        Some(found.iter().map(bytes).collect())
    }

    /// The words that decide which commands can be executed.
    pub(crate) fn conditions(&self, pid: usize, location: usize) -> Option<&[u32]> {
        self.conditions[pid].get(location)?.as_deref()
    }

    /// By byte: a number for the set of control points that touch it.
    pub(crate) fn classes(&self) -> &[u32] {
        &self.classes
    }
}

/// Bytes that nobody touches are of the class of those before them, if they are in the same word: no word is taken apart for them.
fn classes(at: &[Vec<Option<Bytes>>], width: usize) -> Vec<u32> {
    let mut numbers = HashMap::new();
    let mut classes: Vec<u32> = Vec::with_capacity(width);
    for byte in 0..width {
        let is_touched = |bytes: &Bytes| bytes[byte / 64] >> (byte % 64) & 1 == 1;
        let set: Vec<bool> = at.iter().flatten().flatten().map(is_touched).collect();
        let is_alone = byte % 4 == 0 || set.contains(&true);
        let next = numbers.len() as u32;
        classes.push(match is_alone {
            true => *numbers.entry(set).or_insert(next),
            false => classes[byte - 1],
        });
    }
    classes
}

/// The bytes of a footprint; none of them if there are no steps.
fn bytes(facts: &ModelFacts<'_>, layout: &Layout, footprint: &Footprint) -> Option<Bytes> {
    let mut bytes: Bytes = vec![0; (facts.row as usize).div_ceil(64)].into();
    match footprint {
        Footprint::Everything => return None,
        Footprint::Nothing => {}
        Footprint::Only(objects) => mark_objects(facts, layout, objects, &mut |start, end| {
            let end = end - u32::from(makes_mistake("footprint-byte") && end > start + 1);
            for byte in start..end {
                bytes[byte as usize / 64] |= 1 << (byte % 64);
            }
        }),
    }
    Some(bytes)
}

/// The bytes of a process: its frame, and the channels behind it.
pub(crate) fn own_bytes(facts: &ModelFacts<'_>, layout: &Layout, pid: usize) -> Bytes {
    let base = facts.hidden + layout.frames[pid];
    let size = facts.block_size(layout.population.processes[pid].proctype);
    let mut bytes: Bytes = vec![0; (facts.row as usize).div_ceil(64)].into();
    for byte in base..base + size {
        bytes[byte as usize / 64] |= 1 << (byte % 64);
    }
    bytes
}

/// Bytes of the globals, of the hidden variables, and of the frame of a process.
fn bytes_of_spans(facts: &ModelFacts<'_>, frame: u32, spans: &[Span]) -> Bytes {
    let mut bytes: Bytes = vec![0; (facts.row as usize).div_ceil(64)].into();
    for &Span { region, start, end } in spans {
        let base = match region {
            Region::Global => facts.hidden,
            Region::Local => facts.hidden + frame,
            Region::Hidden => 0,
            Region::Nothing => continue,
        };
        for byte in base + start..base + end {
            bytes[byte as usize / 64] |= 1 << (byte % 64);
        }
    }
    bytes
}

/// Marks the bytes of a row that are the header and parts of a state.
fn mark_objects(
    facts: &ModelFacts<'_>,
    layout: &Layout,
    objects: &Objects,
    mark_row: &mut impl FnMut(u32, u32),
) {
    let Objects { globals, hidden, processes, controls, channels } = objects;
    hidden.iter().for_each(|&(start, end)| mark_row(start, end));
    let mut mark = |start: u32, end: u32| mark_row(facts.hidden + start, facts.hidden + end);
    // How many processes there are, and who was last.
    mark(0, HEADER_SIZE);
    globals.iter().for_each(|&(start, end)| mark(start, end));
    for pid in processes.iter() {
        let base = layout.frames[pid];
        mark(base, base + facts.block_size(layout.population.processes[pid].proctype));
    }
    for pid in controls.iter() {
        mark(layout.frames[pid], layout.frames[pid] + FRAME_HEADER);
    }
    for id in channels.iter() {
        let at = id as usize - 1;
        let base = layout.channels[at];
        mark(base, base + facts.size_of(layout.population.channels[at]));
    }
}

/// The words of the header, of the control point of a process, and of what is looked at.
fn condition_words(
    facts: &ModelFacts<'_>,
    layout: &Layout,
    pid: usize,
    conditions: &Conditions,
) -> Box<[u32]> {
    let mut words = Vec::new();
    let mut mark_row = |start: u32, end: u32| words.extend(start / 4..end.div_ceil(4));
    mark_objects(facts, layout, &conditions.objects, &mut mark_row);
    let mut mark = |start: u32, end: u32| mark_row(facts.hidden + start, facts.hidden + end);
    let frame = layout.frames[pid];
    mark(frame, frame + FRAME_HEADER);
    conditions.own.iter().for_each(|&(start, end)| mark(frame + start, frame + end));
    for id in conditions.fills.iter() {
        let base = layout.channels[id as usize - 1];
        mark(base, base + CHANNEL_HEADER);
    }
    words.sort_unstable();
    words.dedup();
    words.into()
}
