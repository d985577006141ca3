//! The protocol of a line, in all orders of two threads' loads and stores that loom finds. Each part of the
//! protocol is left out in turn, to see that the tests notice.
//!
//! ```sh
//! cargo test --release -p lariat-store --features loom --lib lines::loom
//! ```

use super::line::{ALL_BLOCKS, Line};
use super::shape::Shape;
use crate::protocol::{Part, model, notice};
use loom::sync::Arc;
use loom::thread;

/// Seven slots of 64 bits, in two words each.
fn wide() -> Shape<u64> {
    let shape = Shape::new(256, (64, 0), 8);
    assert_eq!((shape.slots, shape.rest_at, shape.rest), (7, 56, 56));
    shape
}

/// Thirteen slots; the payload of the first lies across two words.
fn across() -> Shape<u64> {
    let shape = Shape::new(1 << 20, (50, 0), 8);
    assert_eq!((shape.rest_at + shape.key_bits - 8) % 64, 62);
    shape
}

/// Who sees half of `A` and half of `B` sees `C`.
const A: u64 = 0x11 << 40 | 0x22;
const B: u64 = 0x33 << 40 | 0x44;
const C: u64 = 0x11 << 40 | 0x44;

fn has(line: &Line, d: usize, key: u64) -> bool {
    line.get::<ALL_BLOCKS, u64>(&wide(), d, key, false).0.is_some()
}

/// A key from afar takes the place of one that is at home, which goes to the end: who looks for that one finds it.
fn one_moves() {
    let line = Arc::new(Line::new());
    assert!(line.put(&wide(), 0, A));
    let other = line.clone();
    let reader = thread::spawn(move || {
        assert_eq!(other.insert::<1, _>(&wide(), 0, C, false), Some(true), "nobody else adds it");
        assert_eq!(
            other.insert::<1, _>(&wide(), 0, A, false),
            Some(false),
            "it is there, wherever it is"
        );
    });
    assert_eq!(line.insert::<1, _>(&wide(), 1, B, false), Some(true));
    reader.join().unwrap();
    assert!(has(&line, 0, A) && has(&line, 1, B) && has(&line, 0, C));
}

/// Two threads add the same key.
fn the_same_twice() {
    let line = Arc::new(Line::new());
    let other = line.clone();
    let writer = thread::spawn(move || other.insert::<1, _>(&wide(), 0, A, false) == Some(true));
    let here = line.insert::<1, _>(&wide(), 0, A, false) == Some(true);
    assert!(writer.join().unwrap() != here, "it is new to one of them");
}

/// Two keys for the last slot: who finds none goes on, and finds none for ever.
fn the_last_slot() {
    let line = Arc::new(Line::new());
    assert!((1..7).all(|key| line.put(&wide(), 0, key)));
    let other = line.clone();
    let writer = thread::spawn(move || other.insert::<1, _>(&wide(), 0, A, false));
    let here = line.insert::<1, _>(&wide(), 0, B, false);
    let there = writer.join().unwrap();
    assert!([here, there].contains(&Some(true)) && [here, there].contains(&None));
    assert_eq!((has(&line, 0, A), has(&line, 0, B)), (there.is_some(), here.is_some()));
}

/// Both add to the payload of the same key, which one of them adds.
fn payloads_add_up() {
    let line = Arc::new(Line::new());
    let add = |line: &Line| {
        let one_more = |before: Option<u64>| before.map_or(0x7F, |payload| payload + 1);
        line.update::<ALL_BLOCKS, u64>(&across(), 0, 5, one_more, false)
    };
    let other = line.clone();
    let writer = thread::spawn(move || add(&other));
    let both = [add(&line), writer.join().unwrap()];
    assert!(both.contains(&Some(None)) && both.contains(&Some(Some(0x7F))), "{both:?}");
    assert_eq!(line.get::<ALL_BLOCKS, u64>(&across(), 0, 5, false).0, Some((0, 0x80)));
}

/// A payload across two words is seen as a whole, while another key comes to its place.
fn a_payload_is_whole() {
    let line = Arc::new(Line::new());
    assert!(line.put(&across(), 0, across().join(5, 0xFF)));
    let other = line.clone();
    let writer = thread::spawn(move || {
        assert_eq!(
            other.update::<ALL_BLOCKS, u64>(&across(), 0, 5, |_| 0, false),
            Some(Some(0xFF))
        );
        assert_eq!(other.insert::<1, _>(&across(), 1, 6, false), Some(true));
    });
    let payload = line
        .get::<ALL_BLOCKS, u64>(&across(), 0, 5, false)
        .0
        .expect("it is there, wherever it is")
        .1;
    assert!(payload == 0 || payload == 0xFF, "{payload:x}");
    writer.join().unwrap();
    assert_eq!(
        line.get::<ALL_BLOCKS, u64>(&across(), 0, 5, false).0.map(|(_, payload)| payload),
        Some(0)
    );
}

/// Where nobody changes payloads, one across two words is seen as a whole without a lock, while another key comes to its place.
fn a_payload_that_stays_is_whole() {
    let line = Arc::new(Line::new());
    assert!(line.put(&across(), 0, across().join(5, 0xFF)));
    let other = line.clone();
    let writer = thread::spawn(move || {
        assert_eq!(other.add::<ALL_BLOCKS, u64>(&across(), 1, (6, 0), false), Some(None));
    });
    let known = line.add::<ALL_BLOCKS, u64>(&across(), 0, (5, 0), false);
    assert_eq!(known, Some(Some(0xFF)));
    writer.join().unwrap();
}

const ALL: [fn(); 6] = [
    one_moves,
    the_same_twice,
    the_last_slot,
    payloads_add_up,
    a_payload_is_whole,
    a_payload_that_stays_is_whole,
];

#[test]
fn all_orders_of_adding() {
    ALL[..3].iter().copied().for_each(model);
}

#[test]
fn all_orders_of_payloads() {
    ALL[3..].iter().copied().for_each(model);
}

#[test]
fn what_is_left_out_is_noticed() {
    notice(&ALL, &[Part::SecondLook, Part::ReadersFence, Part::WritersFence, Part::Release]);
}
