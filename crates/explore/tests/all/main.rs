//! The server on real sockets of loopback.

mod attacks;
mod play;
mod support;
