//! Which checks answer a question about a model, and why (SE §5.3, GS §5).
//!
//! The automaton is looked at component by component. If its accepting components are all of
//! one strength, one check is enough: reachability for terminal ones, simple DFS for weak ones,
//! Dijkstra's algorithm on the marks for the others. If they differ, each strength has its own
//! part of the automaton and its own check, the cheapest first.

use crate::algorithm::{Algorithm, Takes};
use crate::plan::{Plan, plan};
use crate::setup::Setup;
use lariat_automata::decompose::{Strength, part, strength, strengths};
use lariat_automata::{Classes, Tgba, classify};

/// Checks to run one after the other, until one finds a run.
pub struct Choice {
    pub plans: Vec<Plan>,
    /// For `--explain`, a line each.
    pub explanation: Vec<String>,
}

/// `fair` says that the model's steps carry marks of their own, `is_whole` that the automaton must not
/// be taken apart.
pub fn choose(tgba: &Tgba, setup: &Setup, fair: bool, is_whole: bool) -> Result<Choice, String> {
    let classes = classify(tgba);
    let mut explanation = vec![describe(tgba), components(&classes)];
    let plans = match setup.algorithm {
        Algorithm::Auto if fair => vec![for_marks()],
        Algorithm::Auto if !is_whole => by_strength(tgba, &classes, setup)?,
        asked if fair && asked.facts().takes != Takes::Tgba => {
            let fitting = Algorithm::all().filter(|check| check.facts().takes == Takes::Tgba);
            let names: Vec<&str> = fitting.map(Algorithm::name).collect();
            return Err(format!(
                "{} takes one set of accepting states, and fairness is a mark for each process; \
                 with --fair use {}",
                asked.name(),
                names.join(", ")
            ));
        }
        _ => vec![plan(tgba, setup)?],
    };
    for plan in &plans {
        setup.fits(plan.algorithm)?;
        let looked_at = plan.automaton.as_ref().unwrap_or(tgba);
        let of = match looked_at.state_count() == tgba.state_count() {
            true => String::new(),
            false => format!(" on {}", describe_size(looked_at)),
        };
        explanation.push(format!("check: {}{of}: {}", plan.algorithm.name(), plan.why));
    }
    explanation.push(format!("store: {}", setup.describe_store(plans[0].algorithm)));
    Ok(Choice { plans, explanation })
}

/// A model with marks makes the product general, whatever the automaton is (SE §5.1).
fn for_marks() -> Plan {
    Plan {
        algorithm: Algorithm::Dijkstra,
        why: "fairness is acceptance marks on the model's steps".to_owned(),
        automaton: None,
        origins: None,
    }
}

fn by_strength(tgba: &Tgba, classes: &Classes, setup: &Setup) -> Result<Vec<Plan>, String> {
    let found = strengths(classes);
    if found.len() < 2 || setup.store.is_lossy() {
        return Ok(vec![plan(tgba, setup)?]);
    }
    let plans = found.into_iter().map(|wanted| {
        let automaton = part(tgba, classes, wanted);
        let algorithm = match wanted {
            Strength::Terminal => Algorithm::Reach,
            Strength::Weak => Algorithm::Sd,
            Strength::Strong => Algorithm::Dijkstra,
        };
        let why = format!("the {} components", wanted.name());
        Plan { algorithm, why, automaton: Some(automaton), origins: None }
    });
    Ok(plans.collect())
}

fn describe(tgba: &Tgba) -> String {
    format!("automaton: {}", describe_size(tgba))
}

fn describe_size(tgba: &Tgba) -> String {
    let counted = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    format!(
        "{}, {}, {}",
        counted(tgba.state_count(), "state"),
        counted(tgba.edge_count(), "edge"),
        counted(tgba.mark_count as usize, "mark")
    )
}

fn components(classes: &Classes) -> String {
    let count = |wanted: Option<Strength>| {
        classes.per_scc.iter().filter(|&&class| strength(class) == wanted).count()
    };
    let named = [Strength::Terminal, Strength::Weak, Strength::Strong]
        .into_iter()
        .map(|strength| (count(Some(strength)), strength.name()))
        .filter(|&(count, _)| count > 0)
        .map(|(count, name)| format!("{count} {name}"));
    let mut parts: Vec<String> = named.collect();
    parts.push(format!("{} without acceptance", count(None)));
    format!("components: {}", parts.join(", "))
}
