//! What changes from one state to the next, told from their `Debug` text.
//!
//! The text is read as a tree: structs and maps by name, sets by element, sequences by place. Whatever
//! is not understood is a leaf, and any text whatever is read somehow.

use std::fmt;

/// The fields of a state, a line each.
pub(crate) fn in_lines(state: &str) -> Vec<String> {
    match Value::read(state) {
        Value::Group { items, .. }
            if !items.is_empty() && items.iter().all(|i| i.name.is_some()) =>
        {
            let line = |item: Item| format!("{} = {}", item.name.unwrap_or_default(), item.value);
            items.into_iter().map(line).collect()
        }
        value => vec![value.to_string()],
    }
}

/// What is different in `new`, a line for each part.
pub(crate) fn changes(old: &str, new: &str) -> Vec<String> {
    let mut lines = Vec::new();
    compare("", &Value::read(old), &Value::read(new), &mut lines);
    lines
}

/// A part of a state: its name in full, the parts of that name, and its value.
#[cfg(feature = "explore")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) value: String,
}

/// The smallest parts of a state that have names of their own.
#[cfg(feature = "explore")]
pub(crate) fn fields(state: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    Value::read(state).flatten(&mut Vec::new(), &mut fields);
    fields
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Leaf(String),
    Group { head: String, open: char, items: Vec<Item> },
}

#[derive(Clone, PartialEq, Debug)]
struct Item {
    name: Option<String>,
    value: Value,
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// How deep groups may be inside each other; deeper ones are leaves.
const MOST_DEPTH: usize = 64;

#[cfg(feature = "explore")]
impl Value {
    /// Elements of longer sequences are not told apart.
    const MOST: usize = 64;

    fn flatten(&self, path: &mut Vec<String>, out: &mut Vec<Field>) {
        let inner = match self {
            Value::Group { items, .. } if items.is_empty() || items.len() > Value::MOST => None,
            // A variant with values, unless it is long.
            Value::Group { head, .. }
                if !head.is_empty() && !path.is_empty() && self.to_string().len() <= SHORT =>
            {
                None
            }
            Value::Group { items, head, open } => {
                let are_named = items.iter().all(|item| item.name.is_some());
                match (open, are_named) {
                    ('{', false) => None,
                    ('{', true) if head.is_empty() => Some((items, "[", "]")),
                    ('[', _) => Some((items, "[", "]")),
                    _ => Some((items, ".", "")),
                }
            }
            Value::Leaf(_) => None,
        };
        let Some((items, open, close)) = inner else {
            let name = if path.is_empty() { "state".to_owned() } else { path.concat() };
            let path = if path.is_empty() { vec![name.clone()] } else { path.clone() };
            out.push(Field { name, path, value: self.to_string() });
            return;
        };
        for (at, item) in items.iter().enumerate() {
            let name = item.name.clone().unwrap_or_else(|| at.to_string());
            path.push(match path.is_empty() && open == "." && item.name.is_some() {
                true => name,
                false => format!("{open}{name}{close}"),
            });
            item.value.flatten(path, out);
            path.pop();
        }
    }
}

impl Value {
    fn read(text: &str) -> Value {
        let mut rest = text;
        let value = Value::parse(&mut rest, 0);
        // Nothing may be left, and nothing may be lost.
        match value {
            Some(value) if rest.trim().is_empty() => value,
            _ => Value::Leaf(text.to_owned()),
        }
    }

    fn parse(rest: &mut &str, depth: usize) -> Option<Value> {
        let head = word(rest);
        let open = rest.chars().next().filter(|c| "([{".contains(*c));
        let Some(open) = open else { return Some(Value::Leaf(head.trim().to_owned())) };
        if depth >= MOST_DEPTH {
            return None;
        }
        *rest = rest[1..].trim_start();
        let mut items = Vec::new();
        loop {
            if let Some(after) = rest.strip_prefix(closing(open)) {
                *rest = after.trim_start();
                return Some(Value::Group { head: head.trim().to_owned(), open, items });
            }
            let before = rest.len();
            let first = Value::parse(rest, depth + 1)?;
            let item = match rest.strip_prefix(':') {
                Some(after) => {
                    *rest = after.trim_start();
                    let value = Value::parse(rest, depth + 1)?;
                    Item { name: Some(first.to_string()), value }
                }
                None => Item { name: None, value: first },
            };
            items.push(item);
            *rest = rest.trim_start();
            *rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            if rest.len() == before {
                return None;
            }
        }
    }
}

/// What stands before a bracket or a comma; text in quotes is passed over.
fn word<'t>(rest: &mut &'t str) -> &'t str {
    let mut quote = None;
    let mut chars = rest.char_indices();
    let mut end = rest.len();
    while let Some((at, c)) = chars.next() {
        match quote {
            Some(_) if c == '\\' => drop(chars.next()),
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if "([{,)]}:".contains(c) => {
                end = at;
                break;
            }
            None => {}
        }
    }
    let (word, after) = rest.split_at(end);
    *rest = after;
    word
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, open, items) = match self {
            Value::Leaf(text) => return write!(f, "{text}"),
            Value::Group { head, open, items } => (head, open, items),
        };
        let is_struct = *open == '{' && !head.is_empty();
        let space = if is_struct { " " } else { "" };
        write!(f, "{head}{space}{open}{space}")?;
        for (at, item) in items.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            match &item.name {
                Some(name) => write!(f, "{comma}{name}: {}", item.value)?,
                None => write!(f, "{comma}{}", item.value)?,
            }
        }
        write!(f, "{space}{}", closing(*open))
    }
}

/// A value this short is shown whole, though only a part of it changes.
const SHORT: usize = 24;

fn compare(path: &str, old: &Value, new: &Value, lines: &mut Vec<String>) {
    if old == new {
        return;
    }
    let label = if path.is_empty() { String::new() } else { format!("{path}: ") };
    if let (
        Value::Group { head, open, items: before },
        Value::Group { head: h, open: o, items: after },
    ) = (old, new)
        && head == h
        && open == o
    {
        let are_named = before.iter().chain(after).all(|item| item.name.is_some());
        let is_set = *open == '{' && !before.iter().chain(after).any(|item| item.name.is_some());
        if is_set {
            return compare_sets(&label, before, after, lines);
        }
        let is_worth_it = *open != '(' || old.to_string().len() > SHORT;
        if are_named {
            return compare_names(path, head.is_empty(), before, after, lines);
        }
        if before.len() == after.len() && is_worth_it {
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                compare(&format!("{path}[{at}]"), &before.value, &after.value, lines);
            }
            return;
        }
    }
    lines.push(format!("{label}{old} → {new}"));
}

/// A set, or a bag: equal elements stand side by side.
fn compare_sets(label: &str, before: &[Item], after: &[Item], lines: &mut Vec<String>) {
    let without = |these: &[Item], those: &[Item]| -> Vec<String> {
        let mut those: Vec<&Item> = those.iter().collect();
        let mut left = Vec::new();
        for item in these {
            match those.iter().position(|other| *other == item) {
                Some(at) => drop(those.swap_remove(at)),
                None => left.push(item.value.to_string()),
            }
        }
        left
    };
    lines.extend(without(before, after).into_iter().map(|gone| format!("{label}− {gone}")));
    lines.extend(without(after, before).into_iter().map(|new| format!("{label}+ {new}")));
}

fn compare_names(
    path: &str,
    is_map: bool,
    before: &[Item],
    after: &[Item],
    lines: &mut Vec<String>,
) {
    let step = |name: &str| match (is_map, path.is_empty()) {
        (true, _) => format!("{path}[{name}]"),
        (false, true) => name.to_owned(),
        (false, false) => format!("{path}.{name}"),
    };
    for item in after {
        let name = item.name.as_deref().unwrap_or_default();
        match before.iter().find(|old| old.name == item.name) {
            Some(old) => compare(&step(name), &old.value, &item.value, lines),
            None => lines.push(format!("{}: + {}", step(name), item.value)),
        }
    }
    for item in before.iter().filter(|item| !after.iter().any(|new| new.name == item.name)) {
        let name = item.name.as_deref().unwrap_or_default();
        lines.push(format!("{}: − {}", step(name), item.value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_ltl::random::Rng;

    const PIECES: [&str; 24] = [
        "(", ")", "[", "]", "{", "}", ",", ":", "\"", "'", "\\", " ", "\n", "Some", "name", "1",
        "-", "→", "é", "\u{0}", ": ", ", ", "::", "<",
    ];

    fn any_text(rng: &mut Rng, most: usize) -> String {
        (0..rng.below(most)).map(|_| PIECES[rng.below(PIECES.len())]).collect()
    }

    /// Whatever a type's `Debug` writes is read somehow; a text has no difference from itself.
    #[test]
    fn any_text_is_read() {
        let whole =
            "Game { rounds: [0, 1], network: {Ping(0), Pong(\"a\\\"b\")}, last: Some(('x', 2)) }";
        for seed in 0..20_000 {
            let mut rng = Rng::new(seed);
            let old = any_text(&mut rng, 40);
            // A text that makes sense but for a few letters.
            let mut new: Vec<char> = whole.chars().collect();
            for _ in 0..rng.below(4) {
                let at = rng.below(new.len());
                match rng.coin() {
                    true => drop(new.remove(at)),
                    false => new.splice(at..at, any_text(&mut rng, 3).chars()).for_each(drop),
                }
            }
            let new: String = new.into_iter().collect();
            for text in [&old, &new] {
                assert!(!in_lines(text).is_empty(), "seed {seed}: {text}");
                assert_eq!(changes(text, text), Vec::<String>::new(), "seed {seed}: {text}");
            }
            for (old, new) in [(&old, &new), (&new, &old)] {
                let differ = Value::read(old) != Value::read(new);
                assert_eq!(differ, !changes(old, new).is_empty(), "seed {seed}: {old} {new}");
            }
        }
    }

    #[test]
    fn deep_and_long_texts_are_read() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(changes(&deep, "[]").len(), 1);
        let long: String = (0..2_000).map(|n| format!("{n}, ")).collect();
        assert_eq!(changes(&format!("[{long}0]"), &format!("[{long}1]")), ["[2000]: 0 → 1"]);
    }
}
