//! What states cost on the wire, if two processes own them and each sends the other's successors over:
//! `cargo run --release -p lariat-bench --bin wire -- MODEL…`, which prints the table of `bench/wire.md`.
//!
//! The first states of each model are expanded breadth first. A successor that the other process owns is written in
//! four ways, and read again from what was written: what comes out must be the row. Repeats that a cache of
//! rows sent lately drops are counted beside.

#![forbid(unsafe_code)]

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;
use std::time::Instant;

use lariat_codegen::NativeSpace;
use lariat_core::{Batch, Cursor, Successors, Word};
use lariat_model::interp::ModelSpace;
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_model::{dve, promela};

const STATES: usize = 300_000;
/// Rows that a process remembers to have sent.
const CACHE: usize = 1 << 16;
/// Words that are numbered together.
const PART: usize = 4;

fn main() {
    println!(
        "| model | words | sent of all | after the cache | bytes: rows | packed words | changes | numbers of parts | parts | of them with the last tenth of the states | \
         ns: packed | changes | numbers |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for path in std::env::args().skip(1) {
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        match load(&path, &name) {
            Some(model) => println!("| {name} | {} |", measure(&model)),
            None => eprintln!("{path}: no model"),
        }
    }
}

fn load(path: &str, name: &str) -> Option<Model> {
    if path.ends_with(".dve") {
        let text = std::fs::read_to_string(path).ok()?;
        let options = dve::DveOptions { property: false };
        return Some(dve::load_text(name, &text, options).ok()?.model);
    }
    Some(promela::load(Path::new(path), &promela::PromelaOptions::default()).ok()?.model)
}

/// The rows that cross over, one after the other, in the order in which they would be sent.
struct Crossing {
    width: usize,
    transitions: usize,
    crossing: usize,
    /// Those that the cache lets pass, from both sides in turn as they come.
    rows: Vec<Word>,
    /// How many of them there were when nine tenths of the states were expanded.
    late: usize,
}

fn measure(model: &Model) -> String {
    let mut width = ModelSpace::minimal_width(model);
    let crossing = loop {
        let mut space = NativeSpace::new(model, width, Vec::new());
        let found = cross(&mut space, width);
        if space.wanted_width() <= width {
            break found;
        }
        width = space.wanted_width();
    };
    let rows = || crossing.rows.chunks_exact(width);
    let sent = rows().len().max(1);
    let (packed, packing) = timed(|| pack(&crossing));
    let (changes, changing) = timed(|| change(&crossing));
    let ((numbers, parts, late), numbering) = timed(|| number(&crossing));
    let each = |bytes: usize| format!("{:.1}", bytes as f64 / sent as f64);
    let nanos = |seconds: f64| format!("{:.0}", seconds * 1e9 / sent as f64);
    let share = |of: usize| format!("{:.2}", of as f64 / crossing.transitions.max(1) as f64);
    [
        width.to_string(),
        share(crossing.crossing),
        share(sent),
        (4 * width).to_string(),
        each(packed),
        each(changes),
        each(numbers),
        parts.to_string(),
        format!("{late:.3}"),
        nanos(packing),
        nanos(changing),
        nanos(numbering),
    ]
    .join(" | ")
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    (work(), start.elapsed().as_secs_f64())
}

fn hash(row: &[Word]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(row)
}

fn cross(space: &mut NativeSpace<'_>, width: usize) -> Crossing {
    let mut batch = space.batch(usize::MAX);
    space.initial(&mut batch);
    let mut known: HashSet<Box<[Word]>> = HashSet::new();
    let (mut states, mut next): (Vec<Word>, usize) = (Vec::new(), 0);
    let mut found = Crossing { width, transitions: 0, crossing: 0, rows: Vec::new(), late: 0 };
    let mut cache = vec![0; CACHE];
    loop {
        for at in 0..batch.len() {
            if known.len() < STATES && known.insert(batch.row(at).into()) {
                states.extend_from_slice(batch.row(at));
            }
        }
        if next * width >= states.len() {
            return found;
        }
        if next * 10 == STATES * 9 {
            found.late = found.rows.len() / width;
        }
        batch.clear();
        let row = states[next * width..][..width].to_vec();
        let owner = hash(&row) & 1;
        space.expand(&row, &mut Cursor(0), &mut batch);
        next += 1;
        found.transitions += batch.len();
        for at in 0..batch.len() {
            let key = hash(batch.row(at));
            if key & 1 == owner {
                continue;
            }
            found.crossing += 1;
            let seen = &mut cache[(key >> 1) as usize % CACHE];
            if std::mem::replace(seen, key) != key {
                found.rows.extend_from_slice(batch.row(at));
            }
        }
    }
}

/// Words without the bits that none of them needs. The bits are known to both, as they are by now to the tree.
fn pack(crossing: &Crossing) -> usize {
    let mut all = vec![0; crossing.width];
    for row in crossing.rows.chunks_exact(crossing.width) {
        all.iter_mut().zip(row).for_each(|(all, word)| *all |= word);
    }
    let bits: Vec<u32> = all.iter().map(|all| Word::BITS - all.leading_zeros()).collect();
    let whole = bits.iter().sum::<u32>().div_ceil(8) as usize;
    let mut out: Vec<u8> = Vec::with_capacity(whole + 8);
    let mut back = vec![0; crossing.width];
    for row in crossing.rows.chunks_exact(crossing.width) {
        out.clear();
        let (mut held, mut count) = (0_u64, 0);
        for (word, bits) in row.iter().zip(&bits) {
            held |= u64::from(*word) << count;
            count += bits;
            while count >= 8 {
                out.push(held as u8);
                (held, count) = (held >> 8, count - 8);
            }
        }
        if count > 0 {
            out.push(held as u8);
        }
        let (mut held, mut count, mut bytes) = (0_u64, 0, out.iter());
        for (word, &bits) in back.iter_mut().zip(&bits) {
            while count < bits {
                held |= u64::from(*bytes.next().expect("written")) << count;
                count += 8;
            }
            *word = (held & ((1_u64 << bits) - 1)) as Word;
            (held, count) = (held >> bits, count - bits);
        }
        assert_eq!(row, back, "what was sent comes out");
    }
    whole * crossing.rows.chunks_exact(crossing.width).len()
}

/// What differs from the row that was sent before: how many words, then each with its place.
fn change(crossing: &Crossing) -> usize {
    let mut here = vec![0; crossing.width];
    let mut there = vec![0; crossing.width];
    let mut bytes = 0;
    let mut out: Vec<u8> = Vec::new();
    for row in crossing.rows.chunks_exact(crossing.width) {
        out.clear();
        out.push(0);
        for (at, (old, new)) in here.iter_mut().zip(row).enumerate().filter(|(_, (a, b))| a != b) {
            out[0] += 1;
            put(at as u32, &mut out);
            put(*new, &mut out);
            *old = *new;
        }
        bytes += out.len();
        let mut read = out[1..].iter();
        for _ in 0..out[0] {
            let at = take(&mut read);
            there[at as usize] = take(&mut read);
        }
        assert_eq!(row, there, "what was sent comes out");
    }
    bytes
}

/// Seven bits at a time.
fn put(mut number: u32, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take<'a>(bytes: &mut impl Iterator<Item = &'a u8>) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.next().expect("written");
        number |= u32::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return number;
        }
    }
}

/// Numbers of parts that both have agreed on, closed up. Also how many parts there are, and the share of them that came
/// with the last tenth of the states.
fn number(crossing: &Crossing) -> (usize, usize, f64) {
    let groups = crossing.width.div_ceil(PART);
    let mut tables: Vec<HashMap<&[Word], u32>> = vec![HashMap::new(); groups];
    let (mut early, mut sum) = (0, 0_u64);
    for (at, row) in crossing.rows.chunks_exact(crossing.width).enumerate() {
        for (table, part) in tables.iter_mut().zip(row.chunks(PART)) {
            let next = table.len() as u32;
            sum += u64::from(*table.entry(part).or_insert(next));
        }
        if at < crossing.late {
            early = tables.iter().map(HashMap::len).sum();
        }
    }
    assert!(sum < u64::MAX, "numbers are small");
    let bits: u32 =
        tables.iter().map(|table| (table.len() as u32).next_power_of_two().ilog2()).sum();
    let parts: usize = tables.iter().map(HashMap::len).sum();
    let whole = bits.div_ceil(8) as usize;
    let late = if crossing.late == 0 { 0.0 } else { 1.0 - early as f64 / parts.max(1) as f64 };
    (whole * crossing.rows.chunks_exact(crossing.width).len(), parts, late)
}
