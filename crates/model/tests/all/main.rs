//! All tests of the crate in one program, since each program is linked for itself.
//! `cargo test -p lariat-model --test all claims::` runs those of one file.

mod analysis;
mod claims;
mod combinations;
mod corpus;
mod dead;
mod dve_beem;
mod dve_facts;
mod dve_refused;
mod event_traces;
mod facts;
mod hidden;
mod merge;
mod mutations;
mod refusals;
mod rows;
mod shortcuts;
mod space;
mod stores;
mod verdicts;
