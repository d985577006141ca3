//! Characters to tokens, without any state.

use super::token::Tok;

/// Symbols, longer ones before their prefixes.
const SYMBOLS: [(&str, Tok); 42] = [
    ("*/", Tok::CommentEnd),
    ("->", Tok::Arrow),
    ("::", Tok::Option_),
    ("..", Tok::DotDot),
    ("==", Tok::Equal),
    ("!=", Tok::NotEqual),
    ("!!", Tok::BangBang),
    ("??", Tok::QueryQuery),
    ("<=", Tok::LessEqual),
    ("<<", Tok::ShiftLeft),
    (">=", Tok::GreaterEqual),
    (">>", Tok::ShiftRight),
    ("&&", Tok::And),
    ("||", Tok::Or),
    ("++", Tok::Increment),
    ("--", Tok::Decrement),
    ("{", Tok::OpenBrace),
    ("}", Tok::CloseBrace),
    ("(", Tok::OpenParen),
    (")", Tok::CloseParen),
    ("[", Tok::OpenBracket),
    ("]", Tok::CloseBracket),
    (";", Tok::Semi),
    (",", Tok::Comma),
    (":", Tok::Colon),
    (".", Tok::Dot),
    ("@", Tok::At),
    ("=", Tok::Assign),
    ("!", Tok::Bang),
    ("?", Tok::Query),
    ("<", Tok::Less),
    (">", Tok::Greater),
    ("&", Tok::BitAnd),
    ("|", Tok::BitOr),
    ("^", Tok::BitXor),
    ("~", Tok::Tilde),
    ("+", Tok::Plus),
    ("-", Tok::Minus),
    ("*", Tok::Star),
    ("/", Tok::Slash),
    ("%", Tok::Percent),
    ("$", Tok::Unknown),
];

/// The next token of `text[at..end]`: start, end, kind.
pub(super) fn next_token(text: &str, at: usize, end: usize) -> Option<(usize, usize, Tok)> {
    let rest = &text[at..end];
    let mut start = at + rest.find(|c: char| !c.is_ascii_whitespace())?;
    // Spin ignores the end of a comment that was ended before.
    while text[start..end].starts_with("*/") {
        let rest = &text[start + 2..end];
        start += 2 + rest.find(|c: char| !c.is_ascii_whitespace())?;
    }
    let rest = &text[start..end];
    let first = rest.chars().next()?;
    let word_end = |wanted: fn(char) -> bool| rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    let (length, kind) = if first == '_' || first.is_ascii_alphabetic() {
        let length = word_end(|c| c == '_' || c.is_ascii_alphanumeric());
        (length, Tok::keyword(&rest[..length]).unwrap_or(Tok::Name))
    } else if first.is_ascii_digit() {
        (word_end(|c| c.is_ascii_digit()), Tok::Int)
    } else if first == '"' {
        match closing_quote(rest, '"') {
            Some(length) => (length, Tok::Str),
            None => (1, Tok::Unknown),
        }
    } else if first == '\'' {
        // Spin reads one character, perhaps escaped, and the closing quote.
        let mut chars = rest.char_indices().skip(1);
        if chars.next().is_some_and(|(_, c)| c == '\\') {
            chars.next();
        }
        match chars.next() {
            Some((close, '\'')) => (close + 1, Tok::Char),
            _ => (1, Tok::Unknown),
        }
    } else {
        match SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            Some((symbol, kind)) => (symbol.len(), *kind),
            None => (first.len_utf8(), Tok::Unknown),
        }
    };
    Some((start, start + length, kind))
}

/// Length of the quoted text that starts here, quotes included; strings do not span lines.
fn closing_quote(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Position of the `}` that matches an open brace before `from`.
pub(super) fn matching_brace(text: &str, from: usize, end: usize) -> Option<usize> {
    let mut depth = 0u32;
    let mut at = from;
    while let Some((start, stop, kind)) = next_token(text, at, end) {
        match kind {
            Tok::OpenBrace => depth += 1,
            Tok::CloseBrace if depth == 0 => return Some(start),
            Tok::CloseBrace => depth -= 1,
            _ => {}
        }
        at = stop;
    }
    None
}

/// Behind `select`: ` ( name : 1 .. 9 )` with a name of letters and digits, blanks but no
/// newlines, and at most 33 values.
pub(super) fn is_literal_select(rest: &str) -> bool {
    fn blanks(text: &str) -> &str {
        text.trim_start_matches([' ', '\t'])
    }
    fn word(text: &str, wanted: fn(char) -> bool) -> Option<(&str, &str)> {
        let length = text.find(|c| !wanted(c)).unwrap_or(text.len());
        (length > 0).then(|| (&text[..length], blanks(&text[length..])))
    }
    let matched = || {
        let rest = blanks(rest.trim_start().strip_prefix('(')?);
        let (_, rest) = word(rest, |c| c.is_ascii_alphanumeric())?;
        let (low, rest) = word(blanks(rest.strip_prefix(':')?), |c| c.is_ascii_digit())?;
        let (high, rest) = word(blanks(rest.strip_prefix("..")?), |c| c.is_ascii_digit())?;
        rest.strip_prefix(')')?;
        let (low, high) = (low.parse::<i64>().ok()?, high.parse::<i64>().ok()?);
        (high - low <= 32).then_some(())
    };
    matched().is_some()
}
