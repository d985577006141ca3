//! Makes the case of a finding as small as it can be while the finding stays.
//!
//! Nothing here knows a language: pieces of the model's tree are dropped, opened and replaced,
//! formulas lose their outer operators, and what lariat then refuses is no finding.

use std::time::{Duration, Instant};

use super::case::{About, Case};
use super::compare::{Finding, What};
use super::config::Config;
use super::switches::SWITCHES;
use super::tree::Tree;

/// A finding with all that is needed to see it again.
#[derive(Clone, Debug)]
pub struct Pinned {
    pub what: What,
    /// With the questions of the finding only.
    pub case: Case,
    /// Two ways to ask, each the number of what is asked and a configuration.
    pub one: (usize, Config),
    pub other: (usize, Config),
}

impl Pinned {
    /// The finding about a case, without the other questions.
    pub fn new(case: &Case, finding: &Finding) -> Pinned {
        let mut small = case.clone();
        small.questions.clear();
        let mut keep = |number: usize| match number.checked_sub(1) {
            None => 0,
            Some(at) => {
                let question = &case.questions[at];
                let known = small.questions.iter().position(|known| known == question);
                known.unwrap_or_else(|| {
                    small.questions.push(question.clone());
                    small.questions.len() - 1
                }) + 1
            }
        };
        let one = (keep(finding.one.number), finding.one.config.clone());
        let other = (keep(finding.other.number), finding.other.config.clone());
        Pinned { what: finding.what, case: small, one, other }
    }

    fn with_model(&self, model: Tree) -> Pinned {
        Pinned { case: Case { model, ..self.case.clone() }, ..self.clone() }
    }
}

/// Whether a finding is still one.
pub type Still<'a> = dyn FnMut(&Pinned) -> bool + 'a;

/// Shrinks as long as there is time.
pub fn shrink(pinned: Pinned, limit: Duration, still: &mut Still<'_>) -> Pinned {
    let mut shrinker = Shrinker { best: pinned, deadline: Instant::now() + limit, still };
    // Fewer switches first: each further try is faster then.
    shrinker.configs();
    loop {
        let before = shrinker.size();
        shrinker.pieces();
        shrinker.questions();
        shrinker.configs();
        if shrinker.size() == before || shrinker.is_over() {
            return shrinker.best;
        }
    }
}

struct Shrinker<'a, 's> {
    best: Pinned,
    deadline: Instant,
    still: &'a mut Still<'s>,
}

impl Shrinker<'_, '_> {
    fn is_over(&self) -> bool {
        Instant::now() > self.deadline
    }

    fn size(&self) -> (usize, usize, usize) {
        let Pinned { case, one, other, .. } = &self.best;
        let questions = format!("{:?}", case.questions).len();
        let plain = Config::plain();
        let set = |config: &Config| {
            (0..SWITCHES.len()).filter(|&at| config.setting(at) != plain.setting(at)).count()
        };
        (case.model.to_string().len(), questions, set(&one.1) + set(&other.1))
    }

    fn take(&mut self, candidate: Pinned) -> bool {
        let is_taken = !self.is_over() && (self.still)(&candidate);
        if is_taken {
            self.best = candidate;
        }
        is_taken
    }

    /// Both configurations as plain as they can be, and as equal.
    fn configs(&mut self) {
        for switch in 0..SWITCHES.len() {
            let set = |best: &Pinned, one: usize, other: usize| {
                let mut candidate = best.clone();
                candidate.one.1 = candidate.one.1.with(switch, one);
                candidate.other.1 = candidate.other.1.with(switch, other);
                candidate
            };
            let now = (self.best.one.1.setting(switch), self.best.other.1.setting(switch));
            for (one, other) in [(0, 0), (now.0, now.0), (now.1, now.1)] {
                if now == (one, other) || self.take(set(&self.best, one, other)) {
                    break;
                }
            }
            // A simpler setting that makes the same difference.
            let now = (self.best.one.1.setting(switch), self.best.other.1.setting(switch));
            for setting in 1..now.0.max(now.1) {
                let lower = |at: usize| if at == 0 { 0 } else { setting.min(at) };
                if self.take(set(&self.best, lower(now.0), lower(now.1))) {
                    break;
                }
            }
        }
    }

    /// Pieces of the model, large ones first.
    fn pieces(&mut self) {
        self.chunks();
        let mut at = 0;
        // Numbers of pieces are those of a walk from the root; whatever goes makes them smaller.
        while at < count(&self.best.case.model) && !self.is_over() {
            if !self.simplify(at) {
                at += 1;
            }
        }
    }

    /// Runs of pieces beside each other, halves, quarters and so on.
    fn chunks(&mut self) {
        let mut at = 0;
        while at < count(&self.best.case.model) && !self.is_over() {
            let mut size = nth(&self.best.case.model, at).inner.len();
            while size > 1 {
                let mut start = 0;
                while start < nth(&self.best.case.model, at).inner.len() {
                    let model = edited(&self.best.case.model, at, &mut |piece| {
                        let end = piece.inner.len().min(start + size);
                        let may_go = piece.inner[start..end].iter().all(|inner| inner.droppable);
                        may_go.then(|| {
                            let mut piece = piece.clone();
                            piece.inner.drain(start..end);
                            vec![piece]
                        })
                    });
                    let is_taken =
                        model.is_some_and(|model| self.take(self.best.with_model(model)));
                    if !is_taken {
                        start += size;
                    }
                }
                size /= 2;
            }
            at += 1;
        }
    }

    /// Makes this piece smaller, or has it go.
    fn simplify(&mut self, at: usize) -> bool {
        let piece = nth(&self.best.case.model, at).clone();
        let mut instead: Vec<Vec<Tree>> = Vec::new();
        if piece.droppable {
            instead.push(Vec::new());
        }
        for text in &piece.simpler {
            let is_same = piece.inner.is_empty() && piece.open == *text;
            if !is_same {
                let leaf = Tree::leaf(piece.kind, text.clone());
                instead.push(vec![Tree { droppable: piece.droppable, ..leaf }]);
            }
        }
        let is_bare = piece.open.is_empty() && piece.close.is_empty();
        if !piece.inner.is_empty() && !is_bare {
            instead.push(piece.inner.clone());
        }
        for pieces in instead {
            let model = edited(&self.best.case.model, at, &mut |_| Some(pieces.clone()));
            if model.is_some_and(|model| self.take(self.best.with_model(model))) {
                return true;
            }
        }
        false
    }

    fn questions(&mut self) {
        for at in 0..self.best.case.questions.len() {
            while let Some(candidate) = self.simpler_question(at) {
                self.best = candidate;
            }
        }
    }

    fn simpler_question(&mut self, at: usize) -> Option<Pinned> {
        let about = self.best.case.questions[at].about.clone();
        let candidates: Vec<About> = match &about {
            About::Ltl(text) => smaller_formulas(text).into_iter().map(About::Ltl).collect(),
            About::Exists(text) => smaller_formulas(text).into_iter().map(About::Exists).collect(),
            About::Invariant(text) => {
                smaller_formulas(text).into_iter().map(About::Invariant).collect()
            }
            About::Reach(text) => smaller_formulas(text).into_iter().map(About::Reach).collect(),
            About::Never(text) => without_lines(text).into_iter().map(About::Never).collect(),
            _ => Vec::new(),
        };
        for simpler in candidates {
            if self.is_over() {
                return None;
            }
            let mut candidate = self.best.clone();
            // Two questions of a finding are about the same thing.
            for question in &mut candidate.case.questions {
                if question.about == about {
                    question.about = simpler.clone();
                }
            }
            if (self.still)(&candidate) {
                return Some(candidate);
            }
        }
        None
    }
}

/// Pieces of a tree, itself among them.
fn count(tree: &Tree) -> usize {
    1 + tree.inner.iter().map(count).sum::<usize>()
}

/// A piece by its number in a walk from the root, each before its inner ones.
fn nth(tree: &Tree, at: usize) -> &Tree {
    let mut left = at;
    let mut piece = tree;
    'down: while left > 0 {
        left -= 1;
        for inner in &piece.inner {
            let size = count(inner);
            if left < size {
                piece = inner;
                continue 'down;
            }
            left -= size;
        }
        unreachable!("pieces are counted");
    }
    piece
}

/// The tree with other pieces in the place of one. None if that is not wanted, or nothing is left.
fn edited(
    tree: &Tree,
    at: usize,
    edit: &mut dyn FnMut(&Tree) -> Option<Vec<Tree>>,
) -> Option<Tree> {
    if at == 0 {
        // The root stays one.
        let mut instead = edit(tree)?;
        return if instead.len() == 1 { instead.pop() } else { None };
    }
    let mut left = at - 1;
    for (number, inner) in tree.inner.iter().enumerate() {
        let size = count(inner);
        if left < size {
            let instead = match left {
                0 => edit(inner)?,
                _ => vec![edited(inner, left, edit)?],
            };
            let mut tree = tree.clone();
            tree.inner.splice(number..=number, instead);
            return Some(tree);
        }
        left -= size;
    }
    None
}

/// A formula with one of its parts instead of a larger part, or with a constant instead of a part.
fn smaller_formulas(text: &str) -> Vec<String> {
    let mut parts: Vec<(usize, usize)> = vec![(0, text.len())];
    let mut open = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => open.push(at),
            ')' => parts.extend(open.pop().map(|start| (start, at + 1))),
            _ => {}
        }
    }
    let with = |(start, end): (usize, usize), instead: &str| {
        format!("{}{instead}{}", &text[..start], &text[end..])
    };
    let mut found = Vec::new();
    for &outer in &parts {
        let is_inside =
            |inner: &&(usize, usize)| outer.0 <= inner.0 && inner.1 <= outer.1 && **inner != outer;
        for &inner in parts.iter().filter(is_inside) {
            found.push(with(outer, &text[inner.0..inner.1]));
        }
        found.extend(["true", "false"].map(|constant| with(outer, constant)));
        // Operators of one operand at its front.
        let body = text[outer.0..outer.1].trim_start_matches('(').trim_start();
        for operator in ["!", "[]", "<>", "X"] {
            if let Some(rest) = body.strip_prefix(operator) {
                let opened = text[outer.0..outer.1].starts_with('(');
                let front = if opened { "(" } else { "" };
                found.push(with(outer, &format!("{front}{}", rest.trim_start())));
            }
        }
    }
    found.retain(|smaller| smaller.len() < text.len());
    found.sort_by_key(String::len);
    found.dedup();
    found
}

/// The text without one of its lines.
fn without_lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let without = |gone: usize| {
        let kept = lines.iter().enumerate().filter(|&(at, _)| at != gone);
        kept.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    (0..lines.len()).map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::case::{Language, Question};

    fn case() -> Case {
        let statement = |text: &str| Tree::leaf("statement", text);
        let atomic = Tree::block(
            "atomic",
            "atomic {",
            vec![statement("x = 1;"), statement("b = 1;"), statement("skip;")],
            "};",
        );
        let process = Tree::block(
            "process",
            "active proctype A() {",
            vec![statement("a = 1;"), atomic, statement("skip;")],
            "}",
        );
        let question = Question { about: About::Ltl("([] (!(a) || (b)))".into()), fairness: None };
        Case {
            seed: 1,
            wanted: Vec::new(),
            language: Language::Promela,
            lossy: false,
            model: Tree::block("model", "", vec![statement("byte a, b;"), process], ""),
            questions: vec![question],
        }
    }

    /// The finding is there as long as `b = 1` stands in the text and the formula names `b`.
    #[test]
    fn drops_and_opens_all_that_does_not_matter() {
        let pinned = Pinned {
            what: What::Verdict,
            case: case(),
            one: (1, Config::plain()),
            other: (1, Config::plain().with(0, 9).with(1, 2)),
        };
        let mut still = |pinned: &Pinned| {
            let text = pinned.case.model.to_string();
            let names_b = format!("{:?}", pinned.case.questions).contains("(b)");
            let differs = pinned.one.1.setting(0) != pinned.other.1.setting(0);
            text.contains("b = 1;") && text.contains("proctype") && names_b && differs
        };
        let small = shrink(pinned, Duration::from_secs(10), &mut still);
        assert_eq!(small.case.model.to_string(), "active proctype A() {\n  b = 1;\n}\n");
        assert_eq!(small.case.questions[0].about, About::Ltl("(b)".into()));
        assert_eq!(small.other.1.setting(1), 0);
        assert_eq!((small.one.1.setting(0), small.other.1.setting(0)), (0, 1));
    }
}
