//! A thread that tells all peers that this process lives, and notices when one of them does not.
//!
//! It depends on no worker: one that expands for minutes is alive. A process that is stopped is not, and its peers notice within the limit. When it goes
//! on it does not blame them for what it has not heard meanwhile, because the clock counts only time in which this thread ran ([`Health::awake`]).

use crate::health::Health;
use crate::link::Peer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub(crate) struct Pulse {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Pulse {
    /// `me` is this process, for people who read what others say of it.
    pub(crate) fn start(
        me: String,
        peers: Vec<Arc<Peer>>,
        limit: Duration,
        health: &Arc<Health>,
    ) -> std::io::Result<Pulse> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (flag, health) = (is_over.clone(), health.clone());
        let beat = move || watch(&me, &peers, limit, &health, &flag);
        let thread = std::thread::Builder::new().name("pulse".to_string()).spawn(beat)?;
        Ok(Pulse { is_over, thread })
    }

    /// Ends; if something broke, all peers were told before.
    pub(crate) fn end(self) {
        self.is_over.store(true, Relaxed);
        self.thread.thread().unpark();
        // It holds no lock while it could panic.
        let _ = self.thread.join();
    }
}

fn watch(me: &str, peers: &[Arc<Peer>], limit: Duration, health: &Health, is_over: &AtomicBool) {
    health.sleeps(std::thread::current());
    let tick = (limit / 20).max(Duration::from_millis(10));
    let mut last = Instant::now();
    loop {
        if let Some(fault) = health.fault() {
            // What this process was told it tells as it is: when its connections close, others know why, whoever they hear of first.
            let word = match fault.is_told {
                true => fault.what.clone(),
                false => format!("{me} gives up: {}", fault.what),
            };
            peers.iter().for_each(|peer| peer.last_word(&word));
            return;
        }
        if is_over.load(Relaxed) {
            return;
        }
        peers.iter().for_each(|peer| peer.beat());
        std::thread::park_timeout(tick);
        let now = Instant::now();
        health.stay_awake((now - last).min(2 * tick));
        last = now;
        // A tick is left for those who must do something about it.
        if let Some(peer) = peers.iter().find(|peer| peer.silence() + tick > limit) {
            health.note(
                format!("{}: no sign of life for {:.1} s", peer.name, peer.silence().as_secs_f64()),
                false,
            );
        }
    }
}
