//! A small model and rows from outside: native code and interpreter agree. The first 64 bytes change
//! rows, the others are the model.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../crates/codegen/tests/all/common/mod.rs"]
mod common;

fuzz_target!(|data: &[u8]| {
    common::bytes::agree(data);
});
