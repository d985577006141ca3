//! Arguments of several commands, each turned into the plain configuration that it stands for.

pub(crate) mod bounded;
pub(crate) mod engine;
pub(crate) mod order;
pub(crate) mod reading;
pub(crate) mod setup;
pub(crate) mod shortcuts;
pub(crate) mod switches;

/// The heading of options that are there for the tests of lariat itself.
pub(crate) const FOR_TESTS: &str = "Tests of lariat itself";
