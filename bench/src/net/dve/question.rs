//! Questions about a DVE model, about the states between two of its transitions.

use super::draft::Draft;
use super::kind::Feature;
use crate::net::case::{About, Fairness, Question};

pub fn questions(draft: &mut Draft) -> Vec<Question> {
    let mut all = vec![About::Safety];
    if draft.features.contains(&Feature::Assert) {
        all.push(About::Assertions);
    }
    let (one, other) = two_moments(draft);
    all.push(match draft.rng.below(4) {
        0 => About::Reach(format!("({one}) and not ({other})")),
        1 => About::Reach(format!("({one}) and ({other})")),
        2 => About::Invariant(format!("not (({one}) and not ({other}))")),
        _ => About::Invariant(format!("({one}) or a < {}", draft.values)),
    });
    all.push(About::Ltl(pattern(draft)));
    if draft.rng.chance(60) {
        let formula = if draft.rng.chance(50) { with_next(draft) } else { pattern(draft) };
        all.push(About::Ltl(formula));
    }
    if draft.rng.chance(25) {
        all.push(About::Exists(pattern(draft)));
    }
    if draft.features.contains(&Feature::Property) {
        all.push(About::Acceptance);
    }
    let mut questions: Vec<Question> =
        all.into_iter().map(|about| Question { about, fairness: None }).collect();
    let fair: Vec<About> = questions
        .iter()
        .map(|question| question.about.clone())
        .filter(|about| matches!(about, About::Ltl(_)))
        .collect();
    let about = fair[draft.rng.below(fair.len() as u64) as usize].clone();
    let fairness = draft.choose(&[Fairness::Weak, Fairness::Strong]);
    questions.push(Question { about, fairness: Some(fairness) });
    questions
}

/// Two moments, mostly of one process.
fn two_moments(draft: &mut Draft) -> (String, String) {
    let at = draft.rng.below(draft.moments.len() as u64) as usize;
    let (process, one) = draft.moments[at].clone();
    let same = draft.rng.chance(60);
    let others: Vec<usize> = (0..draft.moments.len())
        .filter(|&other| {
            (draft.moments[other].0 == process) == same && draft.moments[other].1 != one
        })
        .collect();
    if others.is_empty() {
        return (one, draft.proposition());
    }
    let other = draft.choose(&others);
    (one, draft.moments[other].1.clone())
}

fn pattern(draft: &mut Draft) -> String {
    let (p, q) = two_moments(draft);
    let third = draft.proposition();
    match draft.rng.below(13) {
        0 => format!("[] !(({p}) && !({q}))"),
        1 => format!("[] !(({p}) && ({q}))"),
        2 => format!("[] (({p}) -> <> ({q}))"),
        3 => format!("[] <> (({p}) && !({q}))"),
        4 => format!("<> [] !(({p}) && ({q}))"),
        5 => format!("(!({q})) U ({p})"),
        6 => format!("([] <> ({p})) -> ([] <> ({q}))"),
        7 => format!("[] (({p}) -> (({p}) U ({q})))"),
        8 => format!("(<> ({q})) -> ((!({q})) U ({p}))"),
        9 => format!("([] <> (({p}) && ({q}))) -> ([] <> ({third}))"),
        10 => format!("(<> (({p}) && ({q}))) -> (<> ({third}))"),
        11 => format!("(<> [] ({p})) || ([] <> !({q})) || (<> ({third}))"),
        _ => format!("(<> [] ({p})) || ([] <> !({p})) || (<> ({q}))"),
    }
}

fn with_next(draft: &mut Draft) -> String {
    let (p, q) = two_moments(draft);
    match draft.rng.below(5) {
        0 => format!("[] (({p}) && !({q}) -> X ({q}))"),
        1 => format!("<> (({p}) && X ({q}))"),
        2 => format!("[] (({p}) -> X (({p}) || ({q})))"),
        3 => format!("[] (({p}) -> X X ({q}))"),
        _ => format!("[] !(({p}) && X (!({p}) && X ({q})))"),
    }
}
