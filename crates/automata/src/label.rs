//! Edge labels: Boolean formulas over atomic propositions, by index into [`crate::Tgba::aps`].

/// A Boolean formula over propositions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    True,
    False,
    Ap(u32),
    Not(Box<Label>),
    /// Of at least two.
    And(Vec<Label>),
    /// Of at least two.
    Or(Vec<Label>),
}

impl Label {
    /// The conjunction, simplified where a part is constant.
    pub fn and(parts: impl IntoIterator<Item = Label>) -> Label {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Label::True => {}
                Label::False => return Label::False,
                Label::And(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Label::True,
            1 => kept.remove(0),
            _ => Label::And(kept),
        }
    }

    /// The disjunction, simplified where a part is constant.
    pub fn or(parts: impl IntoIterator<Item = Label>) -> Label {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Label::False => {}
                Label::True => return Label::True,
                Label::Or(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Label::False,
            1 => kept.remove(0),
            _ => Label::Or(kept),
        }
    }

    pub fn negated(self) -> Label {
        match self {
            Label::True => Label::False,
            Label::False => Label::True,
            Label::Not(inner) => *inner,
            other => Label::Not(Box::new(other)),
        }
    }

    /// The truth of the label when exactly the propositions for which `holds` is true hold.
    pub fn eval(&self, holds: &impl Fn(u32) -> bool) -> bool {
        match self {
            Label::True => true,
            Label::False => false,
            Label::Ap(ap) => holds(*ap),
            Label::Not(inner) => !inner.eval(holds),
            Label::And(parts) => parts.iter().all(|part| part.eval(holds)),
            Label::Or(parts) => parts.iter().any(|part| part.eval(holds)),
        }
    }
}
