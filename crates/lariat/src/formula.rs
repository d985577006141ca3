//! Formulas of linear temporal logic: propositions are tests of a state, with a name.

use crate::graph::Test;
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, parse};
use lariat_ltl::{Binary, Formulas};
use std::ops::{BitAnd, BitOr, Not};
use std::sync::Arc;

/// A formula about runs whose states are of type `S`. Cheap to clone.
///
/// Propositions are joined by `!`, `&`, `|` and the methods here; [`always`], [`eventually`] and
/// [`next`] speak of later states.
pub struct Ltl<'m, S>(Arc<Node<'m, S>>);

impl<S> Clone for Ltl<'_, S> {
    fn clone(&self) -> Self {
        Ltl(Arc::clone(&self.0))
    }
}

enum Node<'m, S> {
    Prop(String, Test<'m, S>),
    Not(Ltl<'m, S>),
    And(Ltl<'m, S>, Ltl<'m, S>),
    Or(Ltl<'m, S>, Ltl<'m, S>),
    Next(Ltl<'m, S>),
    Always(Ltl<'m, S>),
    Eventually(Ltl<'m, S>),
    Binary(Binary, Ltl<'m, S>, Ltl<'m, S>),
    Text(String, Atoms, Vec<(String, Test<'m, S>)>),
    /// A mistake, told when the formula is used.
    Wrong(String),
}

/// A test of a state. Its name stands for it in messages, so two tests must not share one.
pub fn prop<'m, S>(
    name: impl Into<String>,
    test: impl Fn(&S) -> bool + Send + Sync + 'm,
) -> Ltl<'m, S> {
    Ltl::new(Node::Prop(name.into(), Arc::new(test)))
}

/// From now on, in every state.
pub fn always<S>(formula: Ltl<'_, S>) -> Ltl<'_, S> {
    Ltl::new(Node::Always(formula))
}

/// Now or in a later state.
pub fn eventually<S>(formula: Ltl<'_, S>) -> Ltl<'_, S> {
    Ltl::new(Node::Eventually(formula))
}

/// In the next state. A system at rest stays where it is.
pub fn next<S>(formula: Ltl<'_, S>) -> Ltl<'_, S> {
    Ltl::new(Node::Next(formula))
}

/// A formula as text. [`Ltl::with`] says what each name in it means.
///
/// ```
/// use lariat::ltl;
///
/// let answered = ltl::<(bool, bool)>("G (asked -> F told)")
///     .with("asked", |state| state.0)
///     .with("told", |state| state.1);
/// # let _ = answered;
/// ```
pub fn ltl<'m, S>(text: impl Into<String>) -> Ltl<'m, S> {
    Ltl::new(Node::Text(text.into(), Atoms::Names, Vec::new()))
}

impl<'m, S> Ltl<'m, S> {
    fn new(node: Node<'m, S>) -> Self {
        Ltl(Arc::new(node))
    }

    fn binary(self, op: Binary, other: Self) -> Self {
        Ltl::new(Node::Binary(op, self, other))
    }

    /// If this, then that, now.
    pub fn implies(self, other: Self) -> Self {
        self.binary(Binary::Implies, other)
    }

    /// Both or none, now.
    pub fn iff(self, other: Self) -> Self {
        self.binary(Binary::Equiv, other)
    }

    /// This holds until that does, and that comes.
    pub fn until(self, other: Self) -> Self {
        self.binary(Binary::Until, other)
    }

    /// This holds until that does, or for ever.
    pub fn weak_until(self, other: Self) -> Self {
        self.binary(Binary::WeakUntil, other)
    }

    /// That holds up to and with the first state where this does, or for ever.
    pub fn release(self, other: Self) -> Self {
        self.binary(Binary::Release, other)
    }

    /// Whenever this, then that, at once or later.
    pub fn leads_to(self, other: Self) -> Self {
        always(self.implies(eventually(other)))
    }

    /// What a name in the text of [`ltl`] means.
    pub fn with(
        self,
        name: impl Into<String>,
        test: impl Fn(&S) -> bool + Send + Sync + 'm,
    ) -> Self {
        let name = name.into();
        match &*self.0 {
            Node::Text(text, atoms, tests) => {
                let mut tests = tests.clone();
                tests.push((name, Arc::new(test) as Test<'m, S>));
                Ltl::new(Node::Text(text.clone(), *atoms, tests))
            }
            Node::Wrong(_) => self,
            _ => Ltl::new(Node::Wrong(format!(
                "`.with(\"{name}\", …)` is for formulas that are text, directly behind `ltl(…)`"
            ))),
        }
    }

    /// A text whose propositions may be expressions, each with its meaning.
    #[cfg(feature = "explore")]
    pub(crate) fn of_expressions(text: String, tests: Vec<(String, Test<'m, S>)>) -> Self {
        Ltl::new(Node::Text(text, Atoms::Model, tests))
    }

    /// The formula in the arena. What its propositions mean is appended to `tests`.
    pub(crate) fn lower(
        &self,
        all: &mut Formulas,
        tests: &mut Tests<'m, S>,
    ) -> Result<lariat_ltl::Ltl, String> {
        let mut below = |formula: &Self| formula.lower(all, tests);
        Ok(match &*self.0 {
            Node::Prop(name, test) => {
                tests.note(name, test)?;
                all.ap(name)
            }
            Node::Not(f) => {
                let f = below(f)?;
                all.not(f)
            }
            Node::And(a, b) => {
                let (a, b) = (below(a)?, below(b)?);
                all.and2(a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (below(a)?, below(b)?);
                all.or2(a, b)
            }
            Node::Next(f) => {
                let f = below(f)?;
                all.next(f)
            }
            Node::Always(f) => {
                let f = below(f)?;
                all.globally(f)
            }
            Node::Eventually(f) => {
                let f = below(f)?;
                all.finally(f)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (below(a)?, below(b)?);
                all.binary(*op, a, b)
            }
            Node::Text(text, atoms, given) => tests.lower_text(all, text, *atoms, given)?,
            Node::Wrong(why) => return Err(why.clone()),
        })
    }
}

/// The propositions of a formula by name.
pub(crate) struct Tests<'m, S>(pub(crate) Vec<(String, Test<'m, S>)>);

impl<'m, S> Tests<'m, S> {
    pub(crate) fn get(&self, name: &str) -> Option<&Test<'m, S>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, test)| test)
    }

    fn note(&mut self, name: &str, test: &Test<'m, S>) -> Result<(), String> {
        match self.get(name) {
            Some(known) if !Arc::ptr_eq(known, test) => {
                Err(format!("two propositions are called `{name}`; clone the first, or rename one"))
            }
            Some(_) => Ok(()),
            None => {
                self.0.push((name.to_owned(), Arc::clone(test)));
                Ok(())
            }
        }
    }

    fn lower_text(
        &mut self,
        all: &mut Formulas,
        text: &str,
        atoms: Atoms,
        given: &[(String, Test<'m, S>)],
    ) -> Result<lariat_ltl::Ltl, String> {
        let options = ParseOptions { dialect: Dialect::Auto, atoms };
        let parsed = parse(all, text, options).map_err(|error| error.render(text, "formula", 1))?;
        let used = all.aps_of(parsed.formula);
        let names: Vec<String> =
            used.into_iter().map(|ap| all.ap_names()[ap as usize].clone()).collect();
        for name in &names {
            let meaning = given.iter().find(|(known, _)| known == name);
            let Some((_, test)) = meaning else {
                return Err(format!(
                    "nothing says what `{name}` means in `{text}`: .with(\"{name}\", |state| …)"
                ));
            };
            self.note(name, test)?;
        }
        match given.iter().find(|(name, _)| !names.contains(name)) {
            Some((name, _)) => Err(format!("`{text}` does not speak of `{name}`")),
            None => Ok(parsed.formula),
        }
    }
}

impl<S> Not for Ltl<'_, S> {
    type Output = Self;
    fn not(self) -> Self {
        Ltl::new(Node::Not(self))
    }
}

impl<S> BitAnd for Ltl<'_, S> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Ltl::new(Node::And(self, other))
    }
}

impl<S> BitOr for Ltl<'_, S> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Ltl::new(Node::Or(self, other))
    }
}
