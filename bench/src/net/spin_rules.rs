//! Where Spin's answer is not asked for: rules about the text of a model, never about a result.
//!
//! Spin's backward move restores the wrong state in four cases, a `d_step` may be taken for the
//! other side of a handshake, and some words mean something else beside a claim, or are not for
//! Spin at all. The rules may say so too often; that costs a
//! comparison, no more.

use super::case::{About, Case, Language, Question};

/// Why Spin is not asked about this model.
pub fn spin_is_wrong(case: &Case) -> Option<&'static str> {
    if case.language == Language::Dve {
        return Some("Spin does not read DVE");
    }
    wrong_about(&case.model.to_string())
}

/// The remark in models with statements that may fail.
pub const MAY_FAIL: &str = "/* may fail */";

/// Why Spin is not asked this question, though it may be asked others about the model.
pub fn spin_is_wrong_about(case: &Case, question: &Question) -> Option<&'static str> {
    let formula = match &question.about {
        About::Ltl(formula) | About::Exists(formula) => formula.as_str(),
        About::Never(_) => "",
        _ => return None,
    };
    let text = case.model.to_string();
    if names_another_type(&text, question.about.text()) {
        return Some("what lies at a place of a frame of another type is Spin's own affair");
    }
    if has_word(formula, "X") {
        return Some("Spin is built without X");
    }
    if has_word(&text, "_nr_pr") {
        return Some("Spin's _nr_pr counts the claim");
    }
    if has_word(&text, "_last") {
        return Some("Spin's _last may be the claim");
    }
    if waits_twice_in_atomic(&text) {
        return Some("beside a claim Spin takes timeout for true until an atomic sequence ends");
    }
    text.contains("accept")
        .then_some("beside a claim Spin's -a looks at accept labels of processes")
}

/// Whether a question means a process by the number of one of another type.
fn names_another_type(text: &str, question: &str) -> bool {
    let mut types: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("active ") || line.starts_with("init"))
    {
        let mut words = words(line);
        let many = words.find_map(|word| match word {
            "active" => None,
            "proctype" | "init" => Some(1),
            many => many.parse().ok(),
        });
        let name = words.find(|&word| word != "proctype").unwrap_or("init");
        types.extend(vec![name; many.unwrap_or(1)]);
    }
    question.split('[').zip(question.split('[').skip(1)).any(|(before, behind)| {
        let name = words(before).last().unwrap_or("");
        let pid = behind.split_once(']').and_then(|(pid, _)| pid.parse::<usize>().ok());
        types.contains(&name) && pid.is_some_and(|pid| types.get(pid) != Some(&name))
    })
}

/// Whether an atomic sequence may come to `timeout` more than once.
fn waits_twice_in_atomic(text: &str) -> bool {
    let mut waits_inside = false;
    // By open brace: what it belongs to.
    let mut open: Vec<&str> = Vec::new();
    let (mut waits, mut repeats) = (0, false);
    for line in text.lines().map(|line| line.trim().trim_end_matches(';')) {
        if line.starts_with('}') {
            open.pop();
        }
        let is_call = line.starts_with('f') && line.ends_with(')');
        let is_wait = line == "timeout" || is_call && waits_inside;
        if open.contains(&"atomic {") {
            waits += u32::from(is_wait);
            repeats |= matches!(line, "do") || line.starts_with("for ") || line.contains("goto ");
        } else {
            (waits, repeats) = (0, false);
        }
        // Definitions stand before the processes.
        waits_inside |= is_wait && open.iter().any(|line| line.starts_with("inline "));
        if waits > 1 || waits == 1 && repeats {
            return true;
        }
        if line.ends_with('{') {
            open.push(line);
        }
    }
    false
}

/// What the C compiler must be told for this model, beside the usual.
pub fn compiler_flags(case: &Case) -> &'static [&'static str] {
    let text = case.model.to_string();
    // Compression hides `_priority`.
    if has_priority(&text) { &["-DNOCOMP"] } else { &[] }
}

fn wrong_about(text: &str) -> Option<&'static str> {
    if text.contains(MAY_FAIL) {
        return Some("beside a claim Spin ends at errors, and C may leave a division out");
    }
    if has_word(text, "hidden") {
        return Some("hidden variables are outside Spin's states");
    }
    if has_priority(text) && text.contains("= [0] of") {
        return Some("Spin has no priorities beside rendezvous");
    }
    if ["trace", "notrace"].iter().any(|word| has_word(text, word)) && text.contains("= [0] of") {
        return Some("beside an event trace Spin counts offers that nobody accepts");
    }
    if text.contains("= [0] of") && opens_d_step_without_test(text) {
        return Some("Spin takes a d_step that opens with printf or assert while a send waits");
    }
    let narrow = narrow_variables(text);
    text.lines().find_map(|line| wrong_statement(line.trim().trim_end_matches(';'), &narrow))
}

fn has_priority(text: &str) -> bool {
    ["priority", "_priority", "set_priority"].iter().any(|word| has_word(text, word))
}

/// Whether a `d_step` may open with `printf` or `assert`. For these Spin's verifier does not look
/// whether a rendezvous is under way, and loses states where its send waits inside an `atomic`.
fn opens_d_step_without_test(text: &str) -> bool {
    let is_mute = |line: &str| line.starts_with("printf") || line.starts_with("assert");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // Behind labels and the openings of other blocks.
    let opens = |from: usize| {
        lines[from + 1..]
            .iter()
            .copied()
            .find(|line| !line.ends_with(['{', ':']) && !matches!(*line, "if" | "do"))
    };
    let is_inline = |line: &str| line.starts_with("inline ");
    let inlines_open =
        (0..lines.len()).any(|at| is_inline(lines[at]) && opens(at).is_some_and(is_mute));
    (0..lines.len()).filter(|&at| lines[at].ends_with("d_step {")).any(|at| {
        opens(at).is_some_and(|first| is_mute(first) || inlines_open && first.starts_with('f'))
    })
}

/// Why Spin's way back over this statement is wrong.
fn wrong_statement(line: &str, narrow: &[&str]) -> Option<&'static str> {
    if let Some(target) = assigned(line)
        && indexes_itself(target)
    {
        return Some("Spin's undo evaluates the index after the assignment");
    }
    let arguments = received(line)?;
    let (evaluated, plain): (Vec<&str>, Vec<&str>) =
        split(arguments).into_iter().partition(|argument| argument.starts_with("eval("));
    let names: Vec<&str> = plain.iter().filter_map(|argument| words(argument).next()).collect();
    if evaluated.iter().any(|value| names.iter().any(|name| has_word(value, name))) {
        return Some("Spin's undo puts the new value of a variable back for eval()");
    }
    let indices = || plain.iter().filter_map(|argument| argument.split_once('['));
    if indices().any(|(_, index)| names.iter().any(|name| has_word(index, name))) {
        return Some("Spin's undo evaluates the index after the receive");
    }
    let channel = line.split('?').next().unwrap_or_default();
    if let Some((_, index)) = channel.split_once('[')
        && names.iter().any(|name| has_word(index, name))
    {
        return Some("Spin's undo evaluates the index of the channel after the receive");
    }
    names
        .iter()
        .any(|name| narrow.contains(name))
        .then_some("Spin's undo puts a value back that was cut to a narrow variable")
}

/// The left side of an assignment.
fn assigned(line: &str) -> Option<&str> {
    if let Some(target) = line.strip_suffix("++").or_else(|| line.strip_suffix("--")) {
        return Some(target);
    }
    let at = line.find('=')?;
    let compares = line[at + 1..].starts_with('=') || line[..at].ends_with(['!', '<', '>']);
    (!compares).then(|| line[..at].trim())
}

/// Whether a name is in its own index.
fn indexes_itself(target: &str) -> bool {
    let Some((_, index)) = target.split_once('[') else { return false };
    words(target).next().is_some_and(|name| has_word(index, name))
}

/// The arguments of a receive, also of one that leaves the message where it is.
fn received(line: &str) -> Option<&str> {
    let at = line.find('?')?;
    let arguments = line[at..].trim_start_matches('?');
    if arguments.starts_with('[') {
        return None;
    }
    let arguments = arguments.strip_prefix('<').unwrap_or(arguments);
    Some(arguments.strip_suffix('>').unwrap_or(arguments))
}

/// Arguments apart, also those of `m(x)`.
fn split(arguments: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, letter) in arguments.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(arguments[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(arguments[from..].trim());
    parts
}

/// Variables of fewer bits than a message may have.
fn narrow_variables(text: &str) -> Vec<&str> {
    let mut narrow = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("typedef")) {
        let mut words = words(line);
        if matches!(words.next(), Some("bit" | "bool" | "unsigned")) {
            narrow.extend(words.next());
        }
    }
    narrow
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_separator = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    text.split(is_separator).filter(|word| !word.is_empty())
}

fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_known() {
        let wrong = [
            "byte a[2];\ninit {\n  a[a[0] & 1]++;\n}",
            "unsigned g : 3;\ninit {\n  c?g;\n}",
            "init {\n  c?eval(g), g;\n}",
            "init {\n  c?i, t[i];\n}",
            "init {\n  qs[i % 2]?i;\n}",
            "init {\n  t[t[0] % 2] = 1;\n}",
            "chan c = [0] of { byte };\ninit {\n  d_step {\n    assert(a);\n  };\n}",
            "chan c = [0] of { byte };\ninit {\n  d_step {\n    if\n    ::\n      printf(\"\");\n    fi;\n  };\n}",
            "chan c = [0] of { byte };\ntrace {\n  do\n  :: c?0\n  od\n}\ninit {\n  c!1;\n}",
        ];
        for text in wrong {
            assert!(wrong_about(text).is_some(), "{text}");
        }
    }

    #[test]
    fn processes_of_another_type_are_known() {
        let text = "byte a;\nactive [2] proctype P0() {\n}\nactive proctype P1() {\n}\ninit {\n}";
        for right in ["P0[1]:x == 1", "P1[2]:x == t[0]", "P0:x == 0", "[] !(P0[0]@l1)"] {
            assert!(!names_another_type(text, right), "{right}");
        }
        for wrong in ["P0[2]:x == 1", "a == 1 && P1[0]:x == 1", "P1[3]@l1"] {
            assert!(names_another_type(text, wrong), "{wrong}");
        }
    }

    #[test]
    fn timeouts_in_one_atomic_sequence_are_counted() {
        let body = |body: &str| format!("init {{\n  atomic {{\n    {body}\n  }};\n}}");
        let twice = [
            body("timeout;\n  a = 1;\n  if\n  ::\n  timeout;\n  fi;"),
            body("do\n  ::\n  timeout;\n  od;"),
            format!("inline f1(p) {{\n  timeout;\n}}\n{}", body("f1(a);\n  f1(b);")),
        ];
        assert!(twice.iter().all(|text| waits_twice_in_atomic(text)), "{twice:?}");
        let once = [
            body("timeout;\n  a = 1;"),
            body("timeout;\n  }\n  atomic {\n  timeout;"),
            "init {\n  timeout;\n  timeout;\n}".to_owned(),
        ];
        assert!(!once.iter().any(|text| waits_twice_in_atomic(text)), "{once:?}");
    }

    #[test]
    fn others_are_for_spin() {
        let right = [
            "byte a[2];\ninit {\n  a[i] = a[0];\n}",
            "unsigned g : 3;\ninit {\n  c?[g];\n  g++;\n}",
            "init {\n  c?eval(g), h;\n  q?<x>;\n  qf?m1(x);\n  qs[i % 2]?x;\n}",
            "init {\n  a == b;\n  t[a % 2] <= t[0];\n}",
            "chan c = [0] of { byte };\ninit {\n  d_step {\n    a = 1;\n    assert(a);\n  };\n}",
            "chan c = [2] of { byte };\ntrace {\n  do\n  :: c?0\n  od\n}\ninit {\n  c!1;\n}",
        ];
        for text in right {
            assert_eq!(wrong_about(text), None, "{text}");
        }
    }
}
