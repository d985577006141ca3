//! The steps of a model's parts: all of them together are those of the state, and what a part
//! does in one state it does in all that agree in the bytes it touches, no others.

use std::collections::HashMap;

use lariat_codegen::NativeSpace;
use lariat_core::{Batch, Factor, Flat, Marks, PartSteps, Props, Successors, Word};

/// What changes by a step: bytes and their new values.
type Change = Vec<(usize, u8)>;

/// Steps of a part: those inside atomic sequences, who could take part in one, who does in each, and
/// what each changes.
type Known = (u32, u64, Vec<Marks>, Vec<Change>);

/// A factor: its part, the control point as the selector tells it, its number, the bytes that it touches with their values.
type FactorKey = (usize, Word, usize, Change);

#[derive(Default)]
pub(crate) struct Oracle {
    version: u64,
    /// By part and the touched bytes with their values: those by control point, and those by the part's own bytes.
    known: [HashMap<(usize, Change), Known>; 2],
    /// What a factor does to the bytes that it writes; none if it forbids the step.
    factors: HashMap<FactorKey, Option<Change>>,
    /// By the bytes that propositions look at, with their values: the truth.
    truths: HashMap<Change, Props>,
    pub(crate) foretold: u64,
    /// Steps that were foretold by what the part touches by its own bytes, and not by its control point.
    pub(crate) foretold_by_own: u64,
    /// Steps, or that there is none, that were foretold by the factors of a command, and not by what the part touches.
    pub(crate) foretold_by_factors: u64,
    /// Valuations that were foretold from another state.
    pub(crate) valued: u64,
}

/// The bytes that are marked, with their values.
fn marked(row: &[Word], bytes: &[u64]) -> Change {
    let is_marked = |(byte, _): &(usize, u8)| bytes[byte / 64] >> (byte % 64) & 1 == 1;
    bytes_of(row).into_iter().enumerate().filter(is_marked).collect()
}

fn bytes_of(row: &[Word]) -> Vec<u8> {
    row.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Oracle {
    fn forget(&mut self) {
        self.known.iter_mut().for_each(HashMap::clear);
        self.factors.clear();
    }

    /// Compares the truth of the propositions in a state with that in others that agree in the
    /// bytes they look at.
    pub(crate) fn compare_truth(
        &mut self,
        native: &mut NativeSpace<'_>,
        row: &[Word],
        truth: Props,
    ) -> Result<(), String> {
        let Some(parts) = native.parts() else { return Ok(()) };
        if parts.version() != self.version {
            self.truths.clear();
            self.forget();
            self.version = parts.version();
        }
        let Some(words) = parts.observed() else { return Ok(()) };
        match self.truths.insert(marked(row, words), truth) {
            Some(before) if before != truth => {
                Err(format!("propositions are {before:b} in another state, here {truth:b}"))
            }
            before => {
                self.valued += u64::from(before.is_some());
                Ok(())
            }
        }
    }

    /// Compares the parts of a state with all of its successors.
    pub(crate) fn compare(
        &mut self,
        native: &mut NativeSpace<'_>,
        row: &[Word],
        successors: &Flat,
    ) -> Result<(), String> {
        let Some(parts) = native.parts() else { return Ok(()) };
        if parts.version() != self.version {
            self.forget();
            self.truths.clear();
            self.version = parts.version();
        }
        let numbers: Vec<u32> = (0..parts.len() as u32).collect();
        let (mut rows, mut found) = (Flat::new(row.len(), usize::MAX), Vec::new());
        if !parts.expand_parts(&numbers, row, &mut rows, &mut found) {
            return Ok(());
        }
        if parts.version() != self.version {
            return Ok(());
        }
        let same = (0..rows.len().max(successors.len())).all(|at| {
            at < rows.len() && at < successors.len() && rows.row(at) == successors.row(at)
        });
        // A state without steps may have some by `timeout`.
        if !same && rows.len() > 0 {
            return Err(format!("{} steps by parts, {} in all", rows.len(), successors.len()));
        }
        let able = found.iter().fold(0, |able, steps: &PartSteps| able | steps.able);
        for at in 0..rows.len() {
            let (marks, wanted) = (parts.marks(rows.marks(at), able), successors.marks(at));
            if marks != wanted {
                return Err(format!("step {at} by parts has marks {marks:?}, not {wanted:?}"));
            }
        }
        let mut first = 0;
        for (part, steps) in found.into_iter().enumerate() {
            let PartSteps { successors, atomic_steps, able, may_keep } = steps;
            let moved: Vec<Marks> =
                (first..first + successors as usize).map(|at| rows.marks(at)).collect();
            let rows = (first..first + successors as usize).map(|at| rows.row(at));
            first += successors as usize;
            let selector = row[parts.selector(part)];
            if !may_keep {
                continue;
            }
            let by_own = parts.touched_by_own(part, row);
            let touched = [parts.touched(part, selector), by_own.as_deref()];
            if let [Some(all), Some(some)] = touched
                && all.iter().zip(some).any(|(all, some)| some & !all != 0)
            {
                return Err(format!("part {part} touches more by its own bytes"));
            }
            let mut is_known = [false; 2];
            let next: Vec<Vec<u8>> = rows.map(bytes_of).collect();
            for ((known, touched), is_known) in
                self.known.iter_mut().zip(touched).zip(&mut is_known)
            {
                let Some(touched) = touched else { continue };
                let is_touched = |byte: usize| touched[byte / 64] >> (byte % 64) & 1 == 1;
                let key = marked(row, touched);
                if key.is_empty() {
                    if successors > 0 {
                        return Err(format!("part {part} touches nothing, but has steps"));
                    }
                    continue;
                }
                let before = bytes_of(row);
                let mut changes = Vec::new();
                for next in &next {
                    let mut changed = (0..before.len()).filter(|&byte| next[byte] != before[byte]);
                    if let Some(byte) = changed.find(|&byte| !is_touched(byte)) {
                        return Err(format!("part {part} changes byte {byte} without touching it"));
                    }
                    let change = (0..before.len()).filter(|&byte| is_touched(byte));
                    changes.push(change.map(|byte| (byte, next[byte])).collect());
                }
                let now = (atomic_steps, able, moved.clone(), changes);
                match known.get(&(part, key.clone())) {
                    Some(before) if *before != now => {
                        return Err(format!(
                            "part {part}: {before:x?} in another state, here {now:x?}"
                        ));
                    }
                    Some(_) => *is_known = true,
                    None => drop(known.insert((part, key), now)),
                }
            }
            if let Some(factors) = parts.factors(part, selector) {
                let is_foretold = self.compare_factors((part, selector), &factors, row, &next)?;
                self.foretold_by_factors += u64::from(is_foretold && !is_known[0]);
            }
            self.foretold += u64::from(is_known[0]);
            self.foretold_by_own += u64::from(is_known == [false, true]);
        }
        Ok(())
    }

    /// Compares the only command of a part with what its factors have done in other states. Whether they foretell what it does.
    fn compare_factors(
        &mut self,
        (part, selector): (usize, Word),
        factors: &[Factor],
        row: &[Word],
        next: &[Vec<u8>],
    ) -> Result<bool, String> {
        let meet = |one: &[u64], other: &[u64]| one.iter().zip(other).any(|(a, b)| a & b != 0);
        for (at, factor) in factors.iter().enumerate() {
            if factor.touched.iter().zip(&factor.written).any(|(all, some)| some & !all != 0) {
                return Err(format!("part {part}: factor {at} writes more than it touches"));
            }
            let mut others = factors.iter().enumerate().filter(|&(other, _)| other != at);
            if others.any(|(_, other)| meet(&factor.written, &other.touched)) {
                return Err(format!("part {part}: factor {at} writes what another one touches"));
            }
        }
        let keys: Vec<FactorKey> = factors
            .iter()
            .enumerate()
            .map(|(at, factor)| (part, selector, at, marked(row, &factor.touched)))
            .collect();
        let known: Vec<_> = keys.iter().map(|key| self.factors.get(key).cloned()).collect();
        let forbids = known.contains(&Some(None));
        let allow = known.iter().filter(|known| matches!(known, Some(Some(_)))).count();
        match next {
            [] => {
                let is_suspect =
                    |&at: &usize| factors[at].has_condition && !matches!(known[at], Some(Some(_)));
                let suspects: Vec<usize> = (0..factors.len()).filter(is_suspect).collect();
                match suspects[..] {
                    [] => {
                        return Err(format!(
                            "part {part}: nothing forbids a step that is not there"
                        ));
                    }
                    [one] => drop(self.factors.insert(keys[one].clone(), None)),
                    _ => {}
                }
                Ok(forbids)
            }
            [next] => {
                if forbids {
                    return Err(format!("part {part} has a step that a factor forbids"));
                }
                let before = bytes_of(row);
                let is_written = |byte: usize| {
                    factors.iter().any(|it| it.written[byte / 64] >> (byte % 64) & 1 == 1)
                };
                let mut changed = (0..before.len()).filter(|&byte| next[byte] != before[byte]);
                if let Some(byte) = changed.find(|&byte| !is_written(byte)) {
                    return Err(format!("part {part} changes byte {byte}, which no factor writes"));
                }
                for ((key, factor), known) in keys.into_iter().zip(factors).zip(known) {
                    let written = marked(row, &factor.written).into_iter();
                    let now = Some(written.map(|(byte, _)| (byte, next[byte])).collect());
                    if known.as_ref().is_some_and(|known| *known != now) {
                        return Err(format!(
                            "part {part}: a factor does {known:x?} in another state, here {now:x?}"
                        ));
                    }
                    self.factors.insert(key, now);
                }
                Ok(allow == factors.len())
            }
            _ => Err(format!("part {part} has factors and {} steps", next.len())),
        }
    }
}
