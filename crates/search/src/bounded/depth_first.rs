//! Depth first, in Spin's order unless that is shuffled.

use lariat_core::{Limit, Word, headway};
use lariat_store::Visited;
use lariat_store::visited::Entered;
use lariat_system::{Stop, SystemGraph};

use super::differences::{Differences, Top};
use super::walk::Walk;
use crate::safety::ErrorKind;

struct DepthFirst<'w, 'a, 'm, V: Visited> {
    walk: &'w mut Walk<'a, 'm, V>,
    stack: Differences<V::Key>,
    /// The current state.
    row: Vec<Word>,
}

pub(super) fn explore<V: Visited>(walk: &mut Walk<'_, '_, V>) -> Result<(), Stop> {
    headway::begin();
    walk.system.count_commands();
    let row = walk.start()?;
    let mut stack = Differences::new();
    stack.reserve(1, row.len())?;
    stack.push_first();
    let mut search = DepthFirst { walk, stack, row };
    search.go()?;
    if search.walk.error.is_some() {
        let mut rows: Vec<Box<[Word]>> = Vec::with_capacity(search.stack.depth());
        search.stack.each(&search.row, |row, _| {
            rows.push(row.into());
            Ok::<(), Stop>(())
        })?;
        rows.reverse();
        search.walk.found_at(rows);
    }
    Ok(())
}

impl<V: Visited> DepthFirst<'_, '_, '_, V> {
    /// Until the first error, or the end.
    fn go(&mut self) -> Result<(), Stop> {
        // The path to the initial state has no commands.
        let mut depth = -1_i64;
        while self.walk.error.is_none() {
            match self.stack.top() {
                Top::Waits { commands } => {
                    self.stack.go_to_top(&mut self.row);
                    let Some(key) = self.enter()? else {
                        self.stack.go_to_top(&mut self.row);
                        self.stack.drop_waiting();
                        continue;
                    };
                    self.stack.enter(key, self.walk.found.states);
                    self.walk.found.states += 1;
                    depth += i64::from(commands);
                    self.expand(depth as u64)?;
                    if self.walk.has_too_many() {
                        return Err(Limit::States.into());
                    }
                }
                Top::Entered { commands } => {
                    depth -= i64::from(commands);
                    if let Some((key, states)) = self.stack.retreat(&mut self.row) {
                        self.walk.visited.leave(key, self.walk.found.states - states - 1);
                    }
                }
                Top::Fault => {
                    if let Some(located) = self.stack.pop_fault() {
                        self.walk.error(ErrorKind::Fault(located.fault), &located.moves);
                    }
                }
                Top::Empty => return Ok(()),
            }
        }
        Ok(())
    }

    /// Enters the state at hand, if it is new.
    fn enter(&mut self) -> Result<Option<V::Key>, Stop> {
        loop {
            match self.walk.visited.enter(&self.row)? {
                Entered::New(key) => return Ok(Some(key)),
                Entered::Known => return Ok(None),
                Entered::Forgotten => self.hold_all()?,
            }
        }
    }

    /// Says again what is on the stack. The state at hand waits on top of it.
    #[cold]
    fn hold_all(&mut self) -> Result<(), Stop> {
        enum Again {
            Vain,
            Stop(Stop),
        }
        self.stack.go_to_top(&mut self.row);
        loop {
            let visited = &mut *self.walk.visited;
            let held = self.stack.each(&self.row, |row, key| match visited.hold(row) {
                Ok(Some(held)) => {
                    *key = held;
                    Ok(())
                }
                Ok(None) => Err(Again::Vain),
                Err(full) => Err(Again::Stop(full.into())),
            });
            match held {
                Ok(()) => break,
                Err(Again::Vain) => {}
                Err(Again::Stop(stop)) => return Err(stop),
            }
        }
        self.stack.go_to_top(&mut self.row);
        Ok(())
    }

    /// Expands the current state and puts its successors on the stack.
    fn expand(&mut self, depth: u64) -> Result<(), Stop> {
        if self.walk.is_too_deep(depth) {
            return Ok(());
        }
        self.walk.expand(&self.row)?;
        if self.walk.error.is_some() {
            return Ok(());
        }
        let deepest = depth + self.walk.edges.deepest;
        self.walk.found.depth = self.walk.found.depth.max(deepest);
        let (count, width) = (self.walk.edges.ids.len(), self.row.len());
        let rows = count + self.walk.edges.faults.len();
        let growth = self.stack.growth(rows, width);
        if growth > 0 {
            self.walk.allow(self.stack.bytes(), growth)?;
            self.stack.reserve(rows, width)?;
        }
        // One is entered at a time; each asks again.
        self.walk.make_room(count + 1, self.stack.bytes())?;
        self.walk.visited.expanding(&self.row)?;
        for at in 0..count {
            let id = self.walk.edges.ids[at];
            self.walk.visited.prefetch(self.walk.system.load(id));
        }
        self.push_successors(count)
    }

    fn push_successors(&mut self, count: usize) -> Result<(), Stop> {
        let faults = std::mem::take(&mut self.walk.edges.faults);
        let mut faults = faults.into_iter().map(|found| found.fault).rev().peekable();
        // The last one is looked at last, so it is pushed first.
        for place in (0..=count).rev() {
            if place < count {
                let at = self.walk.order[place];
                let commands = self.walk.edges.commands.get(at).copied().unwrap_or(1);
                let Walk { system, visited, edges, .. } = &mut *self.walk;
                let successor = system.load(edges.ids[at]);
                if !visited.has(successor)? {
                    self.stack.push(&self.row, successor, commands);
                }
            }
            // Errors wait for their turn.
            while let Some(located) = faults.next_if(|located| located.after == place) {
                if !self.walk.options.ignores(located.fault) {
                    self.stack.push_fault(located);
                }
            }
        }
        Ok(())
    }
}
