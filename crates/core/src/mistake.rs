//! Mistakes made on purpose, to test the net that must find them (`bench/src/net`).
//!
//! With the cargo feature `mistakes`, the environment variable `LARIAT_MISTAKE` names the one
//! mistake that this process makes. Without the feature, nothing can switch one on, and the
//! compiler removes the branches.

/// Whether this process makes the mistake of this name.
#[cfg(not(feature = "mistakes"))]
#[inline(always)]
pub const fn makes_mistake(_name: &str) -> bool {
    false
}

/// Whether this process makes the mistake of this name.
#[cfg(feature = "mistakes")]
pub fn makes_mistake(name: &str) -> bool {
    static MADE: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    MADE.get_or_init(|| std::env::var("LARIAT_MISTAKE").ok()).as_deref() == Some(name)
}
