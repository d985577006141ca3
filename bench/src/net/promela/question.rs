//! Questions about a model, made from its own moments: what holds just behind one statement and
//! not yet behind another is true in the states that a shortcut could skip.

use super::claim;
use super::draft::Draft;
use super::world::Global;
use crate::net::case::{About, Fairness, Question};

/// The questions about a model that was just made.
pub fn questions(draft: &mut Draft) -> Vec<Question> {
    let mut all = vec![About::Safety];
    if draft.rng.chance(40) {
        all.push(About::Assertions);
    }
    // Short searches, and the way to see that a state is missing.
    for _ in 0..4 {
        let between = between(draft);
        let about = match draft.rng.below(8) {
            0 => About::Invariant(format!("!({between})")),
            1..=5 => About::Ltl(format!("[] !({between})")),
            6 => About::Reach(between),
            _ => About::Invariant(steady(draft)),
        };
        if !all.contains(&about) {
            all.push(about);
        }
    }
    if !draft.shown.is_empty() && draft.rng.chance(80) {
        let at = draft.rng.below(draft.shown.len() as u64) as usize;
        all.push(About::Ltl(format!("[] !({})", draft.shown[at])));
    }
    all.push(About::Ltl(pattern(draft)));
    if draft.rng.chance(60) {
        let formula = if draft.rng.chance(50) { with_next(draft) } else { random(draft) };
        all.push(About::Ltl(formula));
    }
    if draft.rng.chance(25) {
        let formula = if draft.rng.chance(30) { with_next(draft) } else { pattern(draft) };
        all.push(About::Exists(formula));
    }
    if draft.rng.chance(50) {
        all.push(About::Never(claim::claim(draft)));
    }
    if draft.has_progress {
        all.push(About::NonProgress);
    }
    if draft.has_accept {
        all.push(About::Acceptance);
    }
    let mut questions: Vec<Question> =
        all.into_iter().map(|about| Question { about, fairness: None }).collect();
    let temporal: Vec<About> = questions
        .iter()
        .map(|question| question.about.clone())
        .filter(|about| {
            matches!(
                about,
                About::Ltl(_) | About::Never(_) | About::NonProgress | About::Acceptance
            )
        })
        .collect();
    for _ in 0..=draft.rng.below(2) {
        let about = temporal[draft.rng.below(temporal.len() as u64) as usize].clone();
        let fairness = draft.choose(&[Fairness::Weak, Fairness::Strong, Fairness::Spin]);
        let question = Question { about, fairness: Some(fairness) };
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    questions
}

/// What holds behind some statement, or something about variables.
pub fn atom(draft: &mut Draft) -> String {
    if !draft.moments.is_empty() && draft.rng.chance(75) {
        let at = draft.rng.below(draft.moments.len() as u64) as usize;
        return draft.moments[at].proposition.clone();
    }
    let value = draft.value();
    match draft.rng.below(6) {
        0 => "a == b".to_owned(),
        1 if draft.world.has(Global::Array) => format!("t[{}] == {value}", value % 2),
        2 if draft.world.has(Global::Record) => format!("r.x != {value}"),
        3 if draft.world.has(Global::Unsigned) => "u > 1".to_owned(),
        _ => {
            let variable = draft.rng.pick(&["a", "b"]);
            let operator = draft.rng.pick(&["==", "!="]);
            format!("{variable} {operator} {value}")
        }
    }
}

/// Two moments that are not far from each other, mostly of one process.
fn two_moments(draft: &mut Draft) -> (String, String) {
    let many = draft.moments.len() as u64;
    if many < 2 {
        return (atom(draft), atom(draft));
    }
    let one = draft.rng.below(many) as usize;
    let process = draft.moments[one].process;
    let same = draft.rng.chance(70);
    let others: Vec<usize> = (0..draft.moments.len())
        .filter(|&other| {
            let moment = &draft.moments[other];
            (moment.process == process) == same
                && moment.proposition != draft.moments[one].proposition
                && (!same || other.abs_diff(one) <= 4)
        })
        .collect();
    if others.is_empty() {
        return (draft.moments[one].proposition.clone(), atom(draft));
    }
    let other = draft.choose(&others);
    (draft.moments[one].proposition.clone(), draft.moments[other].proposition.clone())
}

/// True behind one statement until another.
pub fn between(draft: &mut Draft) -> String {
    if !draft.stamps.is_empty() && draft.rng.chance(50) {
        return at_stamp(draft);
    }
    let (one, other) = two_moments(draft);
    match draft.rng.below(5) {
        0 => format!("({one}) && ({other})"),
        1 => {
            let third = atom(draft);
            format!("({one}) && !({other}) && ({third})")
        }
        _ => format!("({one}) && !({other})"),
    }
}

/// True behind one certain statement, and perhaps only while another process is somewhere.
fn at_stamp(draft: &mut Draft) -> String {
    let tempts = !draft.tempting.is_empty() && draft.rng.chance(65);
    let from = if tempts { &draft.tempting } else { &draft.stamps };
    let stamp = from[draft.rng.below(from.len() as u64) as usize].clone();
    // Of another process: one has only one value.
    let variable = &stamp[..2];
    let others: Vec<usize> = (0..draft.stamps.len())
        .filter(|&other| !draft.stamps[other].starts_with(variable))
        .collect();
    match draft.rng.below(6) {
        0..=2 => stamp,
        3 if !others.is_empty() => {
            let other = draft.choose(&others);
            format!("({stamp}) && ({})", draft.stamps[other])
        }
        4 => format!("({stamp}) && !({})", atom(draft)),
        _ => format!("({stamp}) && ({})", atom(draft)),
    }
}

/// Something that is true in all states, if nothing is wrong.
fn steady(draft: &mut Draft) -> String {
    let values = draft.world.values;
    match draft.rng.below(3) {
        0 if draft.world.has(Global::Short) => "s >= -2 && s <= 1".to_owned(),
        0 if draft.world.has(Global::Wrap) => "w % 64 == 0".to_owned(),
        1 => {
            let atom = atom(draft);
            format!("({atom}) || a < {values}")
        }
        _ => {
            let between = between(draft);
            format!("!({between}) || b < {values}")
        }
    }
}

/// What people write, without X.
fn pattern(draft: &mut Draft) -> String {
    let between = between(draft);
    let (p, q) = two_moments(draft);
    match draft.rng.below(14) {
        0 => format!("[] !({between})"),
        1 => format!("<> ({between})"),
        2 => format!("[] (({p}) -> <> ({q}))"),
        3 => format!("[] <> ({between})"),
        4 => format!("<> [] !({between})"),
        5 => format!("(!({q})) U ({p})"),
        6 => format!("([] <> ({p})) -> ([] <> ({q}))"),
        7 => format!("[] (({p}) -> (({p}) U ({q})))"),
        8 => format!("(<> ({between})) -> (<> ({p}))"),
        9 => format!("([] <> ({between})) -> ([] <> ({p}))"),
        10 => format!("(<> ({q})) -> ((!({q})) U ({p}))"),
        11 => format!("[] (({between}) -> (<> ({p}) || [] !({q})))"),
        12 => format!("([] (({p}) -> <> ({q}))) || (<> [] ({p})) || (<> [] !({q}))"),
        _ => random(draft),
    }
}

/// Formulas that see single steps.
fn with_next(draft: &mut Draft) -> String {
    let between = between(draft);
    let (p, q) = two_moments(draft);
    match draft.rng.below(8) {
        0 => format!("[] (({between}) -> X ({q}))"),
        1 => format!("<> (({p}) && X ({q}))"),
        2 => format!("[] (({p}) -> X (({p}) || ({q})))"),
        3 => format!("[] (({p}) -> X X ({q}))"),
        4 => format!("[] !(({p}) && X (({between}) && X ({q})))"),
        5 => format!("[] (({p}) && X !({p}) -> X ({q}))"),
        6 => format!("([] <> ({p})) -> ([] <> (({between}) && X (!({between}))))"),
        _ => format!("X X X (({p}) -> ({q}))"),
    }
}

/// Any formula without X.
fn random(draft: &mut Draft) -> String {
    let size = 2 + draft.rng.below(5);
    of_size(draft, size)
}

fn of_size(draft: &mut Draft, size: u64) -> String {
    if size <= 1 {
        return format!("({})", atom(draft));
    }
    if size == 2 || draft.rng.chance(40) {
        let inner = of_size(draft, size - 1);
        return format!("({} {inner})", draft.rng.pick(&["[]", "<>", "!"]));
    }
    let left = 1 + draft.rng.below(size - 2);
    let (one, other) = (of_size(draft, left), of_size(draft, size - 1 - left));
    let operator = draft.rng.pick(&["&&", "||", "->", "<->", "U", "V", "W"]);
    format!("({one} {operator} {other})")
}
