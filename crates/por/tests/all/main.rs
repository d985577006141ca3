//! Tests of the reduction, all in one program.

mod common;
mod explore;
mod facts;
mod hand;
mod pure;
mod reasons;
mod rows;
#[cfg(feature = "mistakes")]
mod switched_off;
