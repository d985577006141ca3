//! The experiments of the five papers, repeated on real models, on the fly.
//!
//! - [`lab`]: models, measurements, the cache of results, pages
//! - one module for each page; each has a function `run` that measures and writes it
//! - [`readme`]: the list of all claims, put together from the pages

#![forbid(unsafe_code)]

pub mod beyond;
pub mod gs2009;
pub mod hpy1996;
pub mod lab;
pub mod misprints;
pub mod open_ends;
pub mod rdkp2013;
pub mod readme;
pub mod se2005;
pub mod stored;
pub mod traversals;
