//! The exchange by its contract, in threads and in processes, and what happens when something breaks.

mod child;
mod contract;
mod faults;
mod files;
mod memory;
mod namespaces;
mod processes;
mod spawn;
mod strangers;
mod toy;
