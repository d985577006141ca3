//! Nested depth-first searches on state-based Büchi acceptance, and one on marks.

pub mod ample;
pub mod and;
pub mod cvwy;
pub mod gmz;
pub mod hpy;
pub mod se;
pub mod tauriainen;
