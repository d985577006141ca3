//! Random rows in trees without numbers whose roots have few bits, so that states are packed anew and groups are cut,
//! beside a plain map.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use lariat_core::{Batch, Flat, SystemId, SystemStore, Word};
use lariat_store::{Ending, Keys, SharedSession, SharedTree, SharedWorker, Tree, Tuning};

/// A row, and the state of an automaton beside it.
type State = (Vec<Word>, u32);

/// A step, as a search remembers it: what it changes in all states with the same bits in some fields.
struct Step {
    bytes: u64,
    before: Vec<Word>,
    after: Vec<Word>,
    mask: u64,
    shape: u64,
    key: u64,
    change: u64,
}

struct Script {
    random: Rng,
    width: usize,
    /// Values of a word are below its number here, or any.
    values: Vec<Word>,
    keys: Keys,
    is_root: bool,
    payloads: HashMap<State, u64>,
    rows: Vec<Vec<Word>>,
    known: HashSet<Vec<Word>>,
    /// Those that should be in the next level.
    waiting: Vec<State>,
    steps: Vec<Step>,
    repacked: usize,
    checked: usize,
}

impl Script {
    fn new(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let width = random.usize(3..14);
        let values =
            (0..width).map(|_| [1, 2, 7, 60, 400, 2_000, 9_000, Word::MAX][random.usize(..8)]);
        let values = values.collect();
        let kind = random.u8(..3);
        let keys = match kind {
            0 => Keys::ROOTS,
            1 => Keys::with_payload(random.u32(1..20)),
            _ => Keys::of_product(random.usize(1..9), random.u32(..20)),
        };
        Script {
            random,
            width,
            values,
            keys,
            is_root: kind == 0,
            payloads: HashMap::new(),
            rows: Vec::new(),
            known: HashSet::new(),
            waiting: Vec::new(),
            steps: Vec::new(),
            repacked: 0,
            checked: 0,
        }
    }

    /// There are few values at first, so that a shape is planned with many parts, which become too small one by one.
    fn word(&mut self, at: usize) -> Word {
        let most = self.values[at];
        let few = 2 + self.rows.len() as Word / 20;
        match most {
            Word::MAX if self.rows.len() > 300 && self.random.u8(..4) == 0 => self.random.u32(..),
            _ => self.random.u32(..most.min(few)) * 3,
        }
    }

    fn state(&mut self) -> u32 {
        self.random.u32(..(1 << self.keys.below()).min(4))
    }

    fn payload(&mut self) -> u64 {
        self.random.u64(..) & ((1 << self.keys.payload()) - 1)
    }

    fn know(&mut self, row: &[Word]) {
        if self.known.insert(row.to_vec()) {
            self.rows.push(row.to_vec());
        }
    }

    /// A tree without numbers, with some states of one that has them where keys allow it.
    fn begin(&mut self) -> Option<(SharedTree, SharedWorker)> {
        let first_plan = [usize::MAX, 20, 100, 8_192][self.random.usize(..4)];
        let most_bits = [5, 10, 14, 18, 22, 30, 64][self.random.usize(..7)];
        let mut tree = Tree::new(self.width).with_tuning(Tuning { first_plan, most_bits });
        // Few values for each word, so that words stand by themselves.
        let mut row = vec![0; self.width];
        for _ in 0..self.random.usize(1..600) {
            let at = self.random.usize(..self.width);
            row[at] = self.random.u32(..2);
            tree.intern(&row).expect("there is room");
            self.know(&row);
        }
        if self.keys.below() > 0 {
            let shared = tree.shared_product(self.keys, 1, usize::MAX / 2)?;
            let worker = shared.worker();
            return Some((shared, worker));
        }
        let (mut shared, numbered) = tree.shared(self.keys, 1, usize::MAX / 2)?;
        let worker = shared.worker();
        let mut session = shared.sessions(vec![worker]).pop().expect("one thread");
        let payloads: Vec<u64> = (0..self.rows.len()).map(|_| self.payload()).collect();
        let expanded = self.random.usize(..=self.rows.len());
        let level_end = self.random.usize(expanded..=self.rows.len());
        session.enter(numbered, (expanded, level_end), &[], |id| payloads[id]).expect("room");
        for (at, (row, payload)) in self.rows.iter().zip(payloads).enumerate() {
            self.payloads.insert((row.clone(), 0), payload);
            if at >= level_end {
                self.waiting.push((row.clone(), 0));
            }
        }
        let worker = session.end();
        Some((shared, worker))
    }

    /// All that is there is what should be, under whatever keys. The roots of rows.
    fn check(&mut self, session: &mut SharedSession<'_>) -> HashMap<Vec<Word>, SystemId> {
        let mut all = Vec::new();
        session.for_each_in(0, 1, |key, payload| all.push((key, payload)));
        assert_eq!(all.len(), self.payloads.len());
        let mut roots = HashMap::new();
        for (key, payload) in all {
            let (root, state) = self.keys.split(key);
            let row = session.load(root).to_vec();
            assert_eq!(self.payloads.get(&(row.clone(), state)), Some(&payload), "{row:x?}");
            roots.insert(row, root);
        }
        session.hand_in();
        let mut next = Vec::new();
        session.for_each_waiting(true, |key| next.push(key));
        let mut next: Vec<State> = next
            .into_iter()
            .map(|key| self.keys.split(key))
            .map(|(root, state)| (session.load(root).to_vec(), state))
            .collect();
        next.sort();
        self.waiting.sort();
        assert_eq!(next, self.waiting);
        roots
    }

    /// Takes in rows like one that is known. False if a field is too small.
    fn take_in(&mut self, session: &mut SharedSession<'_>) -> bool {
        let from = self.rows[self.random.usize(..self.rows.len())].clone();
        let mut batch = Flat::new(self.width, usize::MAX);
        let mut changed = Vec::new();
        let changes = self.random.usize(..5);
        for _ in 0..=changes {
            let mut row = from.clone();
            let mut bytes = 0;
            // The first is the one that they are like.
            for _ in 0..if changed.is_empty() { 0 } else { self.random.usize(..4) } {
                let at = self.random.usize(..self.width);
                row[at] = self.word(at);
                bytes |= 0xF << (4 * at);
            }
            batch.push_copy(&row);
            changed.push((row, bytes));
        }
        let mut roots = Vec::new();
        let taken = session.take_in(&batch, &mut roots).and_then(|()| session.finish(&mut roots));
        let noted = taken.and_then(|()| self.note(session, &roots, &changed));
        if noted.is_err() {
            assert_eq!(session.ending(), Some(Ending::Bits));
            return false;
        }
        for (root, (row, bytes)) in roots.iter().zip(&changed) {
            assert_eq!(session.load(*root), row);
            self.know(row);
            let fields = session.fields(&[*bytes]).expect("states are packed");
            let shape = session.shape().expect("states are packed");
            assert_eq!((root ^ roots[0]) & !fields.mask, 0, "other bits change, too");
            self.steps.push(Step {
                bytes: *bytes,
                before: from.clone(),
                after: row.clone(),
                mask: fields.mask,
                shape,
                key: roots[0] & fields.mask,
                change: root ^ roots[0],
            });
        }
        true
    }

    fn note(
        &mut self,
        session: &mut SharedSession<'_>,
        roots: &[SystemId],
        rows: &[(Vec<Word>, u64)],
    ) -> Result<(), lariat_core::Full> {
        let mut states: Vec<State> = rows.iter().map(|(row, _)| (row.clone(), 0)).collect();
        if !self.is_root {
            states.iter_mut().for_each(|(_, state)| *state = self.state());
            let keys: Vec<u64> = roots
                .iter()
                .zip(&states)
                .map(|(&root, &(_, state))| self.keys.join(root, state))
                .collect();
            let payload = self.payload();
            let change = |_, before: Option<u64>| before.map_or(payload, |before| before ^ payload);
            session.update(&keys, change, |_, before| before.is_none())?;
            for state in states {
                match self.payloads.get_mut(&state) {
                    Some(before) => *before ^= payload,
                    None => {
                        self.waiting.push(state.clone());
                        self.payloads.insert(state, payload);
                    }
                }
            }
            return Ok(());
        }
        for state in states {
            if self.payloads.insert(state.clone(), 0).is_none() {
                self.waiting.push(state);
            }
        }
        Ok(())
    }

    /// What was remembered of steps is true of all states with the same bits, or it is known that it is not.
    fn try_steps(&mut self, session: &mut SharedSession<'_>, roots: &HashMap<Vec<Word>, SystemId>) {
        let is_known = |step: &Step| session.widened(step.mask, step.shape).is_some();
        let before = self.steps.len();
        self.steps.retain(is_known);
        self.repacked += usize::from(self.steps.len() < before);
        for _ in 0..self.steps.len().min(8) {
            let step = &self.steps[self.random.usize(..self.steps.len())];
            let mask = session.widened(step.mask, step.shape).expect("looked at above");
            for (row, &root) in roots {
                if session.packed(root) & mask != step.key {
                    continue;
                }
                let mut expected = row.clone();
                for word in (0..self.width).filter(|word| step.bytes >> (4 * word) & 1 == 1) {
                    assert_eq!(row[word], step.before[word], "the same bits are the same bytes");
                    expected[word] = step.after[word];
                }
                assert_eq!(session.load(root ^ step.change), expected);
                self.checked += 1;
            }
        }
    }
}

/// States, times that they were packed anew, and steps that were compared.
fn run(seed: u64) -> (usize, usize, usize) {
    let mut script = Script::new(seed);
    let Some((mut shared, mut worker)) = script.begin() else { return (0, 0, 0) };
    for _ in 0..60 {
        let mut session = shared.sessions(vec![worker]).pop().expect("one thread");
        let roots = script.check(&mut session);
        script.try_steps(&mut session, &roots);
        let rows = script.random.usize(1..30);
        let fits = (0..rows).all(|_| script.take_in(&mut session));
        worker = session.end();
        if !fits && !shared.make_bits(false).expect("there is room") {
            break;
        }
        assert_eq!(shared.len(), script.payloads.len());
        script.steps.truncate(2_000);
    }
    (script.payloads.len(), script.repacked, script.checked)
}

#[test]
fn random_rows() {
    let (mut states, mut repacked, mut checked) = (0, 0, 0);
    for seed in 0..120 {
        println!("seed {seed}");
        let (more, times, steps) = run(seed);
        states += more;
        repacked += times;
        checked += steps;
    }
    println!("{states} states, packed anew {repacked} times, {checked} steps compared");
    assert!(states > 20_000 && repacked > 40 && checked > 100_000);
}
