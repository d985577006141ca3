//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-codegen --test all agreement::` runs those of one file.

mod agreement;
mod common;
mod random;
mod remembered;
mod space;
