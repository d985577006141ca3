//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-automata --test all classes::` runs those of one file.

mod classes;
mod common;
mod decompose;
mod hoa_reader;
mod hoa_roundtrip;
mod malformed;
mod stutter;
