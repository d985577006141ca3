//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-syntax --test all cpp_against_gcc::` runs those of one file.

mod cpp_against_gcc;
mod dve_corpus;
mod dve_malformed;
mod promela_corpus;
mod promela_errors;
mod promela_mutations;
mod promela_tree;
