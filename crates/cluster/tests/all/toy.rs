//! Searches of a graph whose counts are known, and conversations that look at every promise: for any exchange.
//!
//! The graph: `counters` counters from 0 to `most`; a step raises one of them. A state's level is the sum of its counters.

use lariat_core::{Broken, Event, Exchange};
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Graph {
    pub(crate) counters: u32,
    pub(crate) most: u64,
    /// States in one message.
    pub(crate) batch: usize,
    /// Now and then a worker sleeps for so many microseconds at most.
    pub(crate) delay: u64,
}

impl Graph {
    pub(crate) fn levels(&self) -> Vec<u64> {
        let mut levels = vec![1];
        for _ in 0..self.counters {
            let mut next = vec![0; levels.len() + self.most as usize];
            for (level, count) in levels.iter().enumerate() {
                (0..=self.most as usize).for_each(|n| next[level + n] += count);
            }
            levels = next;
        }
        levels
    }

    fn states(&self) -> usize {
        (self.most as usize + 1).pow(self.counters)
    }

    fn successors(&self, state: u64) -> impl Iterator<Item = u64> + use<> {
        let (base, most) = (self.most + 1, self.most);
        (0..self.counters)
            .map(move |n| base.pow(n))
            .filter(move |place| state / place % base < most)
            .map(move |place| state + place)
    }
}

fn owner(state: u64, workers: usize) -> usize {
    (state.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % workers
}

/// One worker's part of a search.
struct Search<'a> {
    graph: Graph,
    exchange: &'a mut dyn Exchange,
    seen: Vec<bool>,
    waiting: Vec<u64>,
    next: Vec<u64>,
    buffers: Vec<Vec<u8>>,
    random: fastrand::Rng,
    /// States that this worker has expanded, and the word of a call that it has heard.
    expanded: u64,
    heard: Option<u64>,
    /// Calls after so many states.
    call_at: u64,
}

impl<'a> Search<'a> {
    fn new(graph: Graph, exchange: &'a mut dyn Exchange) -> Self {
        let (me, workers) = (exchange.me(), exchange.workers());
        let mut search = Search {
            graph,
            exchange,
            seen: vec![false; graph.states()],
            waiting: Vec::new(),
            next: Vec::new(),
            buffers: vec![Vec::new(); workers],
            random: fastrand::Rng::with_seed(me as u64),
            expanded: 0,
            heard: None,
            call_at: u64::MAX,
        };
        if owner(0, workers) == me {
            search.insert(0);
            search.waiting.append(&mut search.next);
        }
        search
    }

    fn insert(&mut self, state: u64) {
        if !std::mem::replace(&mut self.seen[state as usize], true) {
            self.next.push(state);
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Message { bytes, .. } => {
                bytes
                    .chunks_exact(8)
                    .for_each(|state| self.insert(u64::from_le_bytes(state.try_into().unwrap())));
            }
            Event::Call { word, .. } => self.heard = Some(word),
            Event::Over => unreachable!("never polled"),
        }
    }

    fn flush(&mut self, to: usize) {
        if !self.buffers[to].is_empty() {
            self.exchange.send(to, std::mem::take(&mut self.buffers[to]));
        }
    }

    fn expand(&mut self, state: u64) -> Result<(), Broken> {
        self.expanded += 1;
        if self.graph.delay > 0 && self.random.u32(..64) == 0 {
            std::thread::sleep(Duration::from_micros(self.random.u64(..self.graph.delay)));
        }
        for successor in self.graph.successors(state) {
            let to = owner(successor, self.buffers.len());
            self.buffers[to].extend(successor.to_le_bytes());
            if self.buffers[to].len() >= 8 * self.graph.batch {
                self.flush(to);
            }
        }
        if self.expanded == self.call_at {
            self.exchange.call(self.expanded);
        }
        while !self.exchange.may_send() {
            if let Some(event) = self.exchange.poll()? {
                self.take(event);
            }
        }
        Ok(())
    }

    /// Expands until the phase is over; free: also what comes in it.
    fn phase(&mut self, is_free: bool) -> Result<(), Broken> {
        loop {
            while let Some(state) = self.waiting.pop() {
                if self.heard.is_some() {
                    self.waiting.clear();
                    self.buffers.iter_mut().for_each(Vec::clear);
                    break;
                }
                self.expand(state)?;
                if self.random.u32(..32) == 0
                    && let Some(event) = self.exchange.poll()?
                {
                    self.take(event);
                }
            }
            if is_free && !self.next.is_empty() {
                // What came while this worker expanded.
                self.waiting.append(&mut self.next);
                continue;
            }
            (0..self.buffers.len()).for_each(|to| self.flush(to));
            match self.exchange.rest()? {
                Event::Over => return Ok(()),
                event => self.take(event),
            }
            if is_free {
                self.waiting.append(&mut self.next);
            }
        }
    }

    fn total(&mut self, mine: u64) -> Result<u64, Broken> {
        let all = self.exchange.agree(&mine.to_le_bytes())?;
        Ok(all.iter().map(|said| u64::from_le_bytes(said[..].try_into().unwrap())).sum())
    }
}

/// By levels: how many states each has.
pub(crate) fn by_level(graph: Graph, exchange: &mut dyn Exchange) -> Result<Vec<u64>, Broken> {
    let mut search = Search::new(graph, exchange);
    let mut levels = Vec::new();
    loop {
        let mine = search.waiting.len() as u64;
        match search.total(mine)? {
            0 => return Ok(levels),
            all => levels.push(all),
        }
        search.phase(false)?;
        let next = std::mem::take(&mut search.next);
        search.waiting = next;
    }
}

/// As states come: how many there are.
pub(crate) fn free(graph: Graph, exchange: &mut dyn Exchange) -> Result<u64, Broken> {
    let mut search = Search::new(graph, exchange);
    search.phase(true)?;
    let mine = search.expanded;
    // If a state is missing, then because nobody has heard of it.
    assert_eq!(mine, search.seen.iter().filter(|&&seen| seen).count() as u64);
    search.total(mine)
}

/// As `free`, but worker 0 calls when it has expanded 100 states, and all stop: how many were expanded.
pub(crate) fn stopped(graph: Graph, exchange: &mut dyn Exchange) -> Result<u64, Broken> {
    let mut search = Search::new(graph, exchange);
    if search.exchange.me() == 0 {
        search.call_at = 100;
    }
    search.phase(true)?;
    assert_eq!(search.heard, Some(100), "all hear of it before the phase is over");
    let mine = search.expanded;
    search.total(mine)
}

/// Everybody sends numbered messages of all sizes to everybody, in some phases, and looks at what comes: each once, unchanged, in order, in its phase.
pub(crate) fn converse(
    phases: u64,
    messages: u64,
    exchange: &mut dyn Exchange,
) -> Result<u64, Broken> {
    let (me, workers) = (exchange.me(), exchange.workers());
    let length = |from: usize, to: usize, n: u64| {
        fastrand::Rng::with_seed((from * 64 + to) as u64 + n * 4096).usize(..3000)
    };
    let mut bytes_taken = 0;
    for phase in 0..phases {
        let mut next = vec![0; workers];
        let mut take = |event: Event, next: &mut Vec<u64>| {
            let Event::Message { from, bytes } = event else { panic!("{event:?}") };
            let word = |n: usize| u64::from_le_bytes(bytes[8 * n..][..8].try_into().unwrap());
            assert_eq!(
                (word(0), word(1)),
                (phase, next[from]),
                "phase and number at {me} from {from}"
            );
            let n = word(1);
            assert_eq!(bytes.len(), 16 + length(from, me, n));
            assert!(bytes[16..].iter().all(|&byte| byte == n as u8));
            next[from] += 1;
            bytes_taken += bytes.len() as u64;
        };
        let mut random = fastrand::Rng::with_seed(phase * 64 + me as u64);
        for n in 0..messages {
            for to in 0..workers {
                let mut bytes = [phase.to_le_bytes(), n.to_le_bytes()].concat();
                bytes.resize(16 + length(me, to, n), n as u8);
                exchange.send(to, bytes);
                while !exchange.may_send() || random.u32(..16) == 0 {
                    if let Some(event) = exchange.poll()? {
                        take(event, &mut next);
                    }
                }
            }
        }
        loop {
            match exchange.rest()? {
                Event::Over => break,
                event => take(event, &mut next),
            }
        }
        assert_eq!(next, vec![messages; workers], "all came before the end of phase {phase}");
    }
    Ok(bytes_taken)
}
