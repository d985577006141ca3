//! Operations on a tree store, beside a plain map.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/store/tests/all/operations.rs"]
mod operations;

fuzz_target!(|data: &[u8]| {
    operations::run(data);
});
