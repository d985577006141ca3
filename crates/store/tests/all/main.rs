//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-store --test all live::` runs those of one file.

mod dense;
mod lines;
mod live;
mod operations;
mod repacked;
mod tree;
