//! A case under many settings of the switches.

use std::io;

use super::ask::{Asked, Scope, asked, groups};
use super::case::Case;
use super::compare::{Finding, Told, compare};
use super::config::Config;
use super::run::{Runner, Said};

/// What was asked about a case, and all answers.
pub struct Checked {
    pub asked: Vec<Asked>,
    pub told: Vec<Told>,
}

impl Checked {
    pub fn findings(&self) -> Vec<Finding> {
        compare(&self.asked, &self.told)
    }

    /// Whether the model itself is refused, and why.
    pub fn refusal(&self) -> Option<&str> {
        let plain = self.told.iter().find(|told| told.number == 0)?;
        match &plain.answer.said {
            Said::Refused(why) => Some(why),
            _ => None,
        }
    }
}

/// Temporal questions for which native code is made: it takes longer than a small model.
const WITH_CODE: usize = 3;

/// Asks the plainest configuration everything, each other one the temporal questions and one
/// group of the others, in turn.
pub fn check(case: &Case, others: &[Config], runner: &mut Runner) -> io::Result<Checked> {
    runner.write_model(case)?;
    let asked = asked(case);
    let groups = groups(&asked);
    let mut told: Vec<Told> = Vec::new();
    let mut ask = |group: &[usize], config: &Config, told: &mut Vec<Told>| -> io::Result<()> {
        for (number, answer) in runner.ask(case, &asked, group, config)? {
            told.push(Told { number, beside: group.to_vec(), config: config.clone(), answer });
        }
        Ok(())
    };
    let plain = Config::plain();
    for group in &groups {
        ask(group, &plain, &mut told)?;
        // What is no model, or too large a one, is not asked about again.
        if matches!(&told[0].answer.said, Said::Refused(_) | Said::Open(_)) {
            return Ok(Checked { asked, told });
        }
    }
    // What was refused will be refused.
    let is_refused = |told: &[Told], number: usize| {
        told.iter()
            .any(|told| told.number == number && matches!(told.answer.said, Said::Refused(_)))
    };
    let groups: Vec<Vec<usize>> = groups
        .into_iter()
        .map(|group| group.into_iter().filter(|&at| !is_refused(&told, at)).collect())
        .filter(|group: &Vec<usize>| !group.is_empty())
        .collect();
    let always = groups.iter().position(|group| asked[group[0]].scope() == Scope::Temporal);
    // Hidden variables are no part of the states that `count` counts, so the order matters.
    let is_counted_once = case.model.to_string().contains("hidden ");
    let in_turn: Vec<usize> = (0..groups.len())
        .filter(|&at| Some(at) != always)
        .filter(|&at| !is_counted_once || asked[groups[at][0]].scope() != Scope::Count)
        .collect();
    for (turn, config) in others.iter().enumerate() {
        if let Some(always) = always {
            let group = &groups[always];
            let most = if config.makes_code() { WITH_CODE } else { group.len() };
            let some = group.iter().cycle().skip(turn % group.len()).take(most.min(group.len()));
            let some: Vec<usize> = some.copied().collect();
            ask(&some, config, &mut told)?;
        }
        if !in_turn.is_empty() {
            ask(&groups[in_turn[turn % in_turn.len()]], config, &mut told)?;
        }
    }
    Ok(Checked { asked, told })
}

/// Asks one question under these configurations.
pub fn ask_all(
    case: &Case,
    number: usize,
    configs: &[Config],
    runner: &mut Runner,
) -> io::Result<Checked> {
    runner.write_model(case)?;
    let asked = asked(case);
    let mut told = Vec::new();
    for config in configs {
        for (number, answer) in runner.ask(case, &asked, &[number], config)? {
            told.push(Told { number, beside: vec![number], config: config.clone(), answer });
        }
    }
    Ok(Checked { asked, told })
}
