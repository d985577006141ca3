//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-search --test all nested_deep::` runs those of one file.

mod ample;
mod nested_deep;
mod nested_early;
mod nested_figures;
mod nested_limits;
mod nested_sweep;
mod nested_wide;
mod product;
mod proviso;
mod scc_deep;
mod scc_early;
mod scc_enumerate;
mod scc_flat;
mod scc_limits;
mod scc_papers;
mod scc_roots;
mod scc_shortest;
mod scc_sweep;
mod scc_variants;
mod shared_checks;
mod streett;
mod support;
