//! Run-time errors where there are no models of Promela and DVE: there is none.

/// As `lariat_model::interp::Fault`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {}

/// As `lariat_model::steps::FaultAfter`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultAfter {}
