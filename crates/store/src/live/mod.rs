//! Stores that know UNKNOWN, LIVE and DEAD, for searches by component (RDKP §3.1, §6).

mod in_place;

pub use in_place::InPlace;
