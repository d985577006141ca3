//! The text of `printf` and `printm`.

use std::fmt::Write;

use crate::ir::{Model, Print};

/// Appends the formatted text.
pub(super) fn format(model: &Model, print: &Print, values: &[i32], out: &mut String) {
    let mut next = 0;
    let mut chars = print.format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let conversion = chars.next().unwrap_or('%');
        if conversion == '%' {
            out.push('%');
            continue;
        }
        let Some(&value) = values.get(next) else { continue };
        let set = print.mtypes.get(next).and_then(Option::as_deref);
        next += 1;
        // Writing to a String cannot fail.
        let _ = match conversion {
            'c' => write!(out, "{}", value as u8 as char),
            'e' => match model.mtype_name(set, value) {
                Some(name) => write!(out, "{name}"),
                None => write!(out, "{value}"),
            },
            'u' => write!(out, "{}", value as u32),
            'x' => write!(out, "{value:x}"),
            'o' => write!(out, "{value:o}"),
            _ => write!(out, "{value}"),
        };
    }
}
