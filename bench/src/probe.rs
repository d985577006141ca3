//! `bench-probe`: random probes in a table of 1 GiB, a quarter of them inserts, on one core.
//! The limit that a search can come near to: no successors are computed, no rows compared.

use lariat_store::hash::prefetch;
use memmap2::{Advice, MmapMut, MmapOptions};
use std::time::Instant;

const SLOTS: usize = 1 << 27;
const PROBES: usize = 1 << 24;
const BATCH: usize = 16;

fn main() {
    let single = run(1, false);
    let batched = run(BATCH, false);
    let huge = run(BATCH, true);
    println!("{{\"single\": {single}, \"batched\": {batched}, \"huge\": {huge}}}");
}

/// Millions of probes per second.
fn run(batch: usize, huge: bool) -> f64 {
    let mut map = table(huge);
    let table: &mut [u64] = bytemuck::cast_slice_mut(&mut map);
    // Every page is there before the clock starts.
    for slot in (0..SLOTS).step_by(512) {
        table[slot] = 1;
    }
    let started = Instant::now();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut hashes = [0; BATCH];
    let mut found = 0_u64;
    for _ in 0..PROBES / batch {
        for hash in &mut hashes[..batch] {
            // The next hash waits for the last probe, if there is only one at a time.
            random = random.wrapping_add(if batch == 1 { found & 1 } else { 0 });
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            *hash = random;
            if batch > 1 {
                prefetch(&table[random as usize % SLOTS]);
            }
        }
        for &hash in &hashes[..batch] {
            let slot = &mut table[hash as usize % SLOTS];
            found += u64::from(*slot == hash);
            if hash >> 62 == 0 {
                *slot = hash;
            }
        }
    }
    std::hint::black_box(found);
    PROBES as f64 / started.elapsed().as_secs_f64() / 1e6
}

fn table(huge: bool) -> MmapMut {
    let map = MmapOptions::new().len(SLOTS * size_of::<u64>()).map_anon();
    let map = map.expect("1 GiB for the table");
    if huge {
        // Refused by systems without huge pages; then both figures are the same.
        let _ = map.advise(Advice::HugePage);
    }
    map
}
