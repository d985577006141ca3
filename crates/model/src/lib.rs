//! See the crate's description; filled in by its first users.
