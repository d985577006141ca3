//! The steps of a translation, one after the other.

use super::couvreur::{TableauOptions, tableau};
use super::recurrence::{in_turn, repeat, slide};
use super::{Options, TooLarge};
use crate::eval;
use crate::formula::{Formulas, Ltl, Node};
use crate::membership::accepts_symbolic;
use crate::random::{self, Rng};
use crate::simplify::Simplifier;
use lariat_automata::Tgba;
use lariat_automata::reduce::degeneralise;
use lariat_automata::reduce::product::{product, product_suspended};
use lariat_automata::reduce::prune::{Between, Numbers, is_empty, prune};
use lariat_automata::reduce::simulation::{self, Direction};
use lariat_automata::reduce::wdba;
use lariat_automata::symbolic::{Bdd, Symbolic};

/// Translates formulas, and remembers what it learnt of them.
pub struct Translator {
    options: Options,
    simplifier: Simplifier,
    /// For the states of the tableau.
    state_simplifier: Simplifier,
}

/// An automaton, and what it was made from.
pub struct Translation {
    /// The formula after simplification.
    pub simplified: Ltl,
    /// It accepts the words that satisfy the formula.
    pub automaton: Tgba,
}

/// More subsets than this are not worth the time.
const MAX_SUBSETS: usize = 1 << 12;
/// See their use.
const SAMPLES: usize = 12;
const LARGE: usize = 32;
const ANOTHER_TRY: usize = 200;

impl Translator {
    /// One translator may be used for many formulas, and remembers what it has simplified.
    ///
    /// ```
    /// use lariat_ltl::Formulas;
    /// use lariat_ltl::syntax::{ParseOptions, parse};
    /// use lariat_ltl::translate::{Options, Translator};
    ///
    /// let mut all = Formulas::new();
    /// let formula = parse(&mut all, "G F p", ParseOptions::default()).unwrap().formula;
    /// let automaton = Translator::new(Options::default()).translate(&mut all, formula).unwrap().automaton;
    /// assert_eq!((automaton.state_count(), automaton.mark_count), (1, 1));
    /// ```
    pub fn new(options: Options) -> Self {
        Translator {
            options,
            simplifier: Simplifier::new(options.simplify),
            state_simplifier: Simplifier::for_states(options.simplify),
        }
    }

    /// The automaton of `f`.
    pub fn translate(&mut self, all: &mut Formulas, f: Ltl) -> Result<Translation, TooLarge> {
        let mut bdd = self.options.bdd();
        let simplified = self.simplifier.simplify(all, f);
        let aps = all.aps_of(simplified);
        let automaton = self.symbolic(all, simplified, &aps, &mut bdd)?.to_tgba(&mut bdd);
        // Whatever the last steps did with exhausted diagrams is worth nothing.
        match bdd.exhausted() {
            true => Err(TooLarge::exhausted(&bdd)),
            false => Ok(Translation { simplified, automaton }),
        }
    }

    pub(crate) fn simplify(&mut self, all: &mut Formulas, f: Ltl) -> Ltl {
        self.simplifier.simplify(all, f)
    }

    /// The automaton of a simplified formula, about the propositions `aps`.
    pub(crate) fn symbolic(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Symbolic, TooLarge> {
        let raw = self.pruned_tableau(all, f, aps, bdd)?;
        let minimal = match self.options.minimise_obligations {
            true => self.minimal(all, f, aps, &raw, bdd)?,
            false => None,
        };
        // A large minimal automaton is as good as what simulation would give, and ready.
        if let Some(minimal) = &minimal
            && minimal.state_count() > LARGE
            && minimal.state_count() <= raw.state_count()
        {
            let better = if size(&raw) < size(minimal) { &raw } else { minimal };
            return match self.options.buchi && !better.is_state_based() {
                true => self.to_states(better, bdd),
                false => Ok(self.finish_minimal(better, bdd)),
            };
        }
        let mut raw = raw;
        let mut reduced = self.simulations(raw.clone(), false, bdd)?;
        // Taking letters apart pays off mostly, not always.
        if self.options.by_letter && minimal.is_none() && raw.state_count() <= ANOTHER_TRY {
            let other = self.tableau_by(all, f, aps, false, bdd)?;
            let other_reduced = self.simulations(other.clone(), false, bdd)?;
            if size(&other_reduced) < size(&reduced) {
                (raw, reduced) = (other, other_reduced);
            }
        }
        let repeated = match minimal {
            Some(_) => Vec::new(),
            None => self.recurrence(all, f, aps, bdd)?,
        };
        for repeated in &repeated {
            if size(repeated) < size(&reduced) {
                reduced = repeated.clone();
            }
        }
        if minimal.is_none()
            && self.options.minimise_obligations
            && let Some(product) = self.split(all, f, aps, bdd)?
            && size(&product) < size(&reduced)
        {
            reduced = product;
        }
        if let Some(minimal) = minimal
            && minimal.state_count() <= reduced.state_count()
        {
            return Ok(self.finish_minimal(&minimal, bdd));
        }
        if !self.options.buchi {
            return Ok(reduced);
        }
        // Reduction may have spoilt a good order of the marks: both ways are tried. The
        // smallest with several sets need not be the smallest with one.
        let mut best = self.plain(&reduced, bdd)?;
        for other in std::iter::once(&raw).chain(&repeated) {
            let direct = self.plain(other, bdd)?;
            if size(&direct) < size(&best) {
                best = direct;
            }
        }
        // Waiting for one after the other cannot skip: only fewer states are worth that.
        if let Some(in_turn) = self.recurrences_in_turn(all, f, aps, bdd)? {
            let in_turn = self.plain(&in_turn, bdd)?;
            if in_turn.state_count() < best.state_count() {
                best = in_turn;
            }
        }
        Ok(best)
    }

    /// `G(F g & F h & ..)` with guarantees: see [`super::recurrence`].
    fn recurrences_in_turn(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Option<Symbolic>, TooLarge> {
        let Node::Globally(inner) = *all.node(f) else { return Ok(None) };
        let parts = all.conjuncts(inner);
        let fits = |part: &Ltl| {
            matches!(all.node(*part), Node::Finally(_)) && all.classes(*part).guarantee()
        };
        if parts.len() < 2 || !self.options.minimise_obligations || !parts.iter().all(fits) {
            return Ok(None);
        }
        let mut waiting = Vec::new();
        for part in parts {
            let raw = self.pruned_tableau(all, part, aps, bdd)?;
            waiting.push(self.simulations(raw, false, bdd)?);
        }
        Ok(in_turn(&waiting, bdd))
    }

    fn finish_minimal(&self, minimal: &Symbolic, bdd: &mut Bdd) -> Symbolic {
        match self.options.buchi {
            true => minimal.clone(),
            false => prune(minimal, Between::None, Numbers::Packed, bdd),
        }
    }

    /// Automata of `G F g` with a guarantee g: see [`super::recurrence`].
    fn recurrence(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Vec<Symbolic>, TooLarge> {
        let Node::Globally(inner) = *all.node(f) else { return Ok(Vec::new()) };
        if !self.options.minimise_obligations
            || !matches!(all.node(inner), Node::Finally(_))
            || !all.classes(inner).guarantee()
        {
            return Ok(Vec::new());
        }
        let waiting = self.pruned_tableau(all, inner, aps, bdd)?;
        let mut found = Vec::new();
        if let Some(minimal) = wdba::minimise(&waiting, MAX_SUBSETS, bdd) {
            found.extend(repeat(&minimal, true, bdd));
            found.extend(repeat(&minimal, false, bdd));
        }
        if let Some(sliding) = slide(&waiting, MAX_SUBSETS, bdd) {
            found.push(self.simulations(sliding, false, bdd)?);
        }
        let reduced = self.simulations(waiting, false, bdd)?;
        if let Some(guessing) = repeat(&reduced, false, bdd) {
            found.push(self.simulations(guessing, false, bdd)?);
        }
        Ok(found)
    }

    /// One acceptance set, on states.
    fn plain(&self, automaton: &Symbolic, bdd: &mut Bdd) -> Result<Symbolic, TooLarge> {
        let plain = self.to_states(automaton, bdd)?;
        self.simulations(plain, true, bdd)
    }

    fn to_states(&self, automaton: &Symbolic, bdd: &mut Bdd) -> Result<Symbolic, TooLarge> {
        let limit = self.options.max_states;
        degeneralise::to_states(automaton, limit, bdd).ok_or(TooLarge::States(limit))
    }

    /// For a conjunction with obligations among its parts: the product of their minimal
    /// automaton and the automaton of the other parts.
    fn split(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Option<Symbolic>, TooLarge> {
        let parts = all.conjuncts(f);
        let (obligations, others): (Vec<Ltl>, Vec<Ltl>) =
            parts.iter().partition(|&&part| all.classes(part).obligation());
        if obligations.is_empty() || others.is_empty() {
            return Ok(None);
        }
        let (obligation, other) = (all.and(obligations), all.and(others));
        let left = self.pruned_tableau(all, obligation, aps, bdd)?;
        let Some(left) = wdba::minimise(&left, MAX_SUBSETS, bdd) else { return Ok(None) };
        let right = self.symbolic_tgba(all, other, aps, bdd)?;
        let both = match all.classes(other).suspendable() {
            true => product_suspended(&left, &right, self.options.max_states, bdd),
            false => product(&left, &right, self.options.max_states, bdd),
        };
        let Some(both) = both else { return Ok(None) };
        let both = prune(&both, Between::None, Numbers::Kept, bdd);
        Ok(Some(self.simulations(both, false, bdd)?))
    }

    /// The automaton of a part.
    fn symbolic_tgba(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Symbolic, TooLarge> {
        let raw = self.pruned_tableau(all, f, aps, bdd)?;
        let reduced = self.simulations(raw, false, bdd)?;
        let repeated = self.recurrence(all, f, aps, bdd)?;
        Ok(std::iter::once(reduced).chain(repeated).min_by_key(size).unwrap_or_default())
    }

    fn pruned_tableau(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        bdd: &mut Bdd,
    ) -> Result<Symbolic, TooLarge> {
        self.tableau_by(all, f, aps, self.options.by_letter, bdd)
    }

    fn tableau_by(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        by_letter: bool,
        bdd: &mut Bdd,
    ) -> Result<Symbolic, TooLarge> {
        let options = TableauOptions { by_letter, max_states: self.options.max_states };
        let raw = tableau(all, &mut self.state_simplifier, f, aps, options, bdd)?;
        Ok(match self.options.prune {
            true => prune(&raw, Between::None, Numbers::Kept, bdd),
            false => raw,
        })
    }

    /// The minimal weak deterministic automaton, if `f` is an obligation.
    fn minimal(
        &mut self,
        all: &mut Formulas,
        f: Ltl,
        aps: &[u32],
        automaton: &Symbolic,
        bdd: &mut Bdd,
    ) -> Result<Option<Symbolic>, TooLarge> {
        let obligation = all.classes(f).obligation();
        // Where it is not sure to be of use, it must not take long.
        let max_subsets = match obligation {
            true => MAX_SUBSETS,
            false => (automaton.state_count() * 64).clamp(1024, MAX_SUBSETS),
        };
        let Some(minimal) = wdba::minimise(automaton, max_subsets, bdd) else {
            return Ok(None);
        };
        if obligation {
            return Ok(Some(minimal));
        }
        // The formula does not tell; the languages do.
        let complement = wdba::complement(&minimal, bdd);
        let limit = self.options.max_states;
        let disjoint = |a: &Symbolic, b: &Symbolic, bdd: &mut Bdd| {
            product(a, b, limit, bdd).is_some_and(|both| is_empty(&both))
        };
        if !disjoint(automaton, &complement, bdd) {
            return Ok(None);
        }
        // A word or two mostly settle it before the negation has to be translated.
        let mut rng = Rng::new(1);
        for _ in 0..SAMPLES {
            let word = random::word(&mut rng, all.ap_names().len(), 2, 3);
            if accepts_symbolic(&minimal, bdd, all, &word) != eval::holds(all, f, &word) {
                return Ok(None);
            }
        }
        let negation = self.simplifier.normaliser.negated(all, f);
        let negation = self.simplifier.simplify(all, negation);
        let negated = self.pruned_tableau(all, negation, aps, bdd)?;
        Ok(disjoint(&minimal, &negated, bdd).then_some(minimal))
    }

    /// Simulations in both directions until neither helps.
    fn simulations(
        &self,
        automaton: Symbolic,
        state_based: bool,
        bdd: &mut Bdd,
    ) -> Result<Symbolic, TooLarge> {
        if state_based || !self.options.prune {
            return self.simulate(automaton, state_based, Numbers::Kept, bdd);
        }
        // Either way of numbering the sets at first may lead to the smaller automaton.
        let several = self.options.by_letter && automaton.mark_count > 1;
        let kept = match several && automaton.state_count() <= ANOTHER_TRY {
            true => Some(self.simulate(automaton.clone(), false, Numbers::Kept, bdd)?),
            false => None,
        };
        let automaton = prune(&automaton, Between::None, Numbers::Packed, bdd);
        let packed = self.simulate(automaton, false, Numbers::Packed, bdd)?;
        Ok(kept.filter(|kept| size(kept) < size(&packed)).unwrap_or(packed))
    }

    /// [`Self::simulations`], where the sets are numbered in one way as long as that helps.
    fn simulate(
        &self,
        mut automaton: Symbolic,
        state_based: bool,
        mut numbers: Numbers,
        bdd: &mut Bdd,
    ) -> Result<Symbolic, TooLarge> {
        // Marks between components are of no account: first they are all left out, then all
        // put in.
        let mut between = Between::None;
        let mut idle = 0;
        while idle < if state_based || !self.options.prune { 1 } else { 2 } {
            let before = size(&automaton);
            for (wanted, direction) in [
                (self.options.forward_simulation, Direction::Forward),
                (self.options.backward_simulation, Direction::Backward),
            ] {
                if wanted {
                    automaton = simulation::reduce(&automaton, direction, state_based, bdd);
                    if bdd.exhausted() {
                        return Err(TooLarge::exhausted(bdd));
                    }
                }
            }
            idle = if size(&automaton) < before { 0 } else { idle + 1 };
            if self.options.prune && !state_based {
                if idle > 0 {
                    numbers = Numbers::Packed;
                    between = if between == Between::None { Between::All } else { Between::None };
                }
                automaton = prune(&automaton, between, numbers, bdd);
            }
        }
        Ok(automaton)
    }
}

fn size(automaton: &Symbolic) -> (usize, usize) {
    (automaton.state_count(), automaton.arc_count())
}
