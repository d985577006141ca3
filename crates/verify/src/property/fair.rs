//! To whom a run must be fair, and how a loop is gone round to be so.

use lariat_model::interp::{Expansion, Fairness, Interp, Move, Pids};
use lariat_model::ir::{Model, ProctypeId, ProctypeKind};

/// What a run must be to count.
#[derive(Clone, Debug)]
pub struct Fair {
    /// How fair.
    pub fairness: Fairness,
    /// To processes of these types; to all without a list.
    pub to: Option<Vec<ProctypeId>>,
}

impl Fair {
    /// To processes of the types that are named; to all, if none is.
    pub fn new(model: &Model, fairness: Fairness, processes: &[String]) -> Result<Fair, String> {
        let is_process = |kind| matches!(kind, ProctypeKind::Process | ProctypeKind::Init);
        let mut to = Vec::new();
        for name in processes {
            let found = model.proctypes.iter().position(|p| p.name == *name && is_process(p.kind));
            let found = found.ok_or_else(|| format!("--fair-process {name}: no such proctype"))?;
            to.push(ProctypeId(found as u8));
        }
        Ok(Fair { fairness, to: (!to.is_empty()).then_some(to) })
    }

    /// In one word.
    pub fn name(&self) -> &'static str {
        match self.fairness {
            Fairness::Weak => "weak",
            Fairness::Spin => "spin",
            Fairness::Strong => "strong",
        }
    }

    /// To whom it is asked for, in words.
    pub fn whom(&self, model: &Model) -> String {
        match &self.to {
            None => "every process".to_owned(),
            Some(to) => {
                let names: Vec<_> = to.iter().map(|&id| model.proctype(id).name.as_str()).collect();
                names.join(", ")
            }
        }
    }
}

/// A state of a loop, and the steps that lead on to the next one.
pub struct LoopState {
    /// The processes that can take part in a step and have a right to.
    able: Vec<u8>,
    /// Processes that fairness is asked for here.
    entitled: Vec<u8>,
    /// By number of the expansion, with those who take part.
    choices: Vec<(usize, Vec<u8>)>,
}

impl LoopState {
    /// `choices` are the successors of the expansion that are the next state.
    pub fn new(
        interp: &mut Interp<'_>,
        fair: &Fair,
        state: &[u8],
        steps: &Expansion,
        choices: &[usize],
    ) -> Self {
        interp.load(state);
        let entitled: Vec<u8> = interp
            .processes()
            .filter(|process| fair.to.as_ref().is_none_or(|to| to.contains(&process.proctype)))
            .map(|process| process.pid)
            .collect();
        let discipline = interp.model().discipline;
        let able = pids(fair.fairness.able(discipline, steps));
        let taking_part = |&at: &usize| (at, who(fair.fairness, steps.moves(at)));
        LoopState {
            able: able.into_iter().filter(|pid| entitled.contains(pid)).collect(),
            entitled,
            choices: choices.iter().map(taking_part).collect(),
        }
    }
}

fn who(fairness: Fairness, moves: &[Move]) -> Vec<u8> {
    pids(fairness.taking_part(moves))
}

fn pids(set: Pids) -> Vec<u8> {
    (0..Pids::BITS as u8).filter(|&pid| set >> pid & 1 == 1).collect()
}

/// Which choice to take in each state, for one or several rounds of the loop, so that the run
/// is fair; the process that it cannot be fair to otherwise.
pub fn rounds(fair: &Fair, states: &[LoopState]) -> Result<Vec<Vec<usize>>, u8> {
    let mut everybody: Vec<u8> = states.iter().flat_map(|s| s.entitled.iter().copied()).collect();
    everybody.sort_unstable();
    everybody.dedup();
    let must_move = |pid: &u8| match fair.fairness {
        Fairness::Weak | Fairness::Spin => states.iter().all(|state| state.able.contains(pid)),
        Fairness::Strong => states.iter().any(|state| state.able.contains(pid)),
    };
    let mut waiting: Vec<u8> = everybody.into_iter().filter(must_move).collect();
    let mut rounds = Vec::new();
    loop {
        let before = waiting.len();
        let mut round = Vec::with_capacity(states.len());
        for state in states {
            let served = |who: &[u8]| waiting.iter().filter(|pid| who.contains(pid)).count();
            // The first among the best, so that a run without need for more is the plain one.
            let best = state.choices.iter().map(|(_, who)| served(who)).max().unwrap_or(0);
            let choice = state.choices.iter().find(|(_, who)| served(who) == best);
            let Some((at, who)) = choice else { break };
            round.push(*at);
            waiting.retain(|pid| !who.contains(pid));
        }
        rounds.push(round);
        match waiting.first() {
            None => return Ok(rounds),
            Some(&pid) if waiting.len() == before => return Err(pid),
            Some(_) => {}
        }
    }
}
