//! Tests of the reduction, all in one program.

mod common;
mod facts;
