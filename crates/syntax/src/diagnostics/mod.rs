//! Where text comes from ([`SourceMap`], [`Span`]) and how messages about it look
//! ([`Diagnostic`]).

mod diagnostic;
mod render;
mod similar;
mod source;

pub use diagnostic::{Diagnostic, Label, Remark, Severity};
pub use render::render;
pub use similar::similar;
pub use source::{Expansion, ExpansionId, ExpansionKind, FileId, Location, SourceMap, Span};
