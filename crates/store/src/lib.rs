//! Where visited states live, and the few bits a check keeps about each.
//!
//! Unsafe code is allowed in this crate, each use with its reason.

mod exact;
pub mod hash;

pub use exact::Exact;
