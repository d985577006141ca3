//! Text inside XML: charts are SVG, reports for CI servers are JUnit.

/// Text as it may stand in an element or an attribute. XML 1.0 has no place for control
/// characters, not even escaped.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            _ if letter.is_control() => out.push('?'),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_its_element() {
        assert_eq!(
            escape("a < b && \"c\" > \u{1b}[1m\n"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; ?[1m\n"
        );
    }
}
