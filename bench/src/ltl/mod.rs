//! lariat and Spin on properties of infinite runs.
//!
//! - [`pan`]: Spin's verifier, compiled and run
//! - [`ours`]: the lariat program
//! - [`rows`]: the recorded answers of the corpus

pub mod ours;
pub mod pan;
pub mod rows;

/// What a tool says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Holds,
    Violated,
    /// A limit was reached.
    Cut,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Cut => "cut",
        }
    }
}
