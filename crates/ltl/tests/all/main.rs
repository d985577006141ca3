//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-ltl --test all limits::` runs those of one file.

mod limits;
mod malformed;
mod never;
mod prefix;
mod recurrence;
mod stutter;
mod syntax;
mod words;
