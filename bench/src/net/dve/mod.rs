//! Random DVE models.

pub const TABLES: [(&str, u32); 0] = [];

/// Why a pair cannot be.
pub fn impossible(_number: u32) -> Option<&'static str> {
    None
}

/// A pair in words.
pub fn describe(number: u32) -> String {
    number.to_string()
}
