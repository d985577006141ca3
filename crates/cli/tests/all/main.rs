//! All tests of the command in one program, since each program is linked for itself; only those that
//! write sessions of a terminal stand apart. `cargo test -p lariat-cli --test all net::` runs those of one
//! file.

mod as_rust;
mod compare;
mod desk;
mod dve_properties;
mod expectations;
#[cfg(feature = "explore")]
mod explore;
#[cfg(target_os = "linux")]
mod interrupt;
mod judge;
mod language;
mod limits;
mod models;
mod net;
mod net_cases;
mod order;
mod por;
mod por_pairs;
mod por_papers;
mod protocols;
mod questions;
mod replay;
mod report;
mod spin_live;
mod spin_ltl;
#[cfg(target_os = "linux")]
mod spread;
mod sweep;
mod trails;
mod vacuity;
mod walk;
#[cfg(target_os = "linux")]
mod writes;
