//! Renault, Duret-Lutz, Kordon, Poitrenaud, *Three SCC-based Emptiness Checks for Generalized Büchi
//! Automata*, LPAR 2013: Fig. 2 and Tables 1 to 4, on BEEM with random formulas.
//!
//! - [`variants`]: the checks
//! - [`mod@draw`]: the products
//! - `tables`: what the paper's tables show

pub mod draw;
mod tables;
pub mod variants;

use lariat_bench::cpu::cpu_seconds;
use lariat_core::lasso::Acceptance;
use lariat_verify::engine::Engine;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::Case;
use crate::lab::measure::{Found, How, on_product, replayed};
use crate::lab::page::Page;
use draw::draw;
use variants::{DIJKSTRA, GABOW, TARJAN, VARIANTS, Variant};

/// Successors as lariat computes them, since the check itself is measured.
pub fn how() -> How {
    How { engine: Engine::default(), by_states: false, most: 20_000_000, ..How::papers() }
}

/// What a variant took, and the enumeration that it is made of.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Pair {
    pub check: Found,
    pub enumeration: f64,
}

/// Runs a variant of a check.
pub fn measure(case: &Case, variant: Variant, with_enumeration: bool) -> Result<Pair, String> {
    let tgba = case.automaton()?;
    let check = on_product(case, &tgba, &how(), |product| {
        let start = cpu_seconds();
        let outcome = variant.check(product);
        let cpu = cpu_seconds() - start;
        replayed(product, &outcome, Acceptance::Edges, cpu)
    })?;
    let mut enumeration = 0.0;
    if with_enumeration {
        enumeration = on_product(case, &tgba, &how(), |product| {
            let start = cpu_seconds();
            variant.enumerate(product);
            Ok(cpu_seconds() - start)
        })?;
    }
    Ok(Pair { check, enumeration })
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let (mut pairs, mut runs): (Vec<Vec<Pair>>, Vec<Vec<Found>>) = (Vec::new(), Vec::new());
    for one in draw(&mut *lab)? {
        let kind = if one.is_empty { "empty" } else { "run" };
        let key = format!("{kind} {} {}", one.model, one.formula);
        if lab.is_over(&key) {
            continue;
        }
        let case = one.case(lab)?;
        if one.is_empty {
            let all = || VARIANTS.iter().map(|(variant, _)| measure(&case, *variant, true));
            pairs.push(lab.remember(&key, || all().collect())?);
        } else {
            let of = |at: usize| measure(&case, VARIANTS[at].0, false).map(|pair| pair.check);
            runs.push(
                lab.remember(&key, || [TARJAN, DIJKSTRA, GABOW].map(of).into_iter().collect())?,
            );
        }
    }
    page(lab, &pairs, &runs)
}

fn page(lab: &Lab, pairs: &[Vec<Pair>], runs: &[Vec<Found>]) -> Result<(), String> {
    let mut page = Page::new(
        lab,
        "Renault, Duret-Lutz, Kordon and Poitrenaud 2013: three checks by component",
    );
    let (least, most) = draw::sizes(lab.full);
    let sum = |of: &dyn Fn(&Found) -> u64| pairs.iter().map(|row| of(&row[0].check)).sum::<u64>();
    page.put(&format!(
        "Random formulas over the propositions of BEEM's models with {least} to {most} states: {} empty products with {} states, {} \
         transitions and {} components, and {} with a run. The paper: 448 empty ones with 2.5·10⁹ states, 17.3·10⁹ \
         transitions, 10⁹ components, and 412 with a run.",
        pairs.len(),
        sum(&|found| found.states),
        sum(&|found| found.transitions),
        sum(&|found| found.sccs),
        runs.len()
    ));
    tables::overhead(&mut page, pairs)?;
    tables::memory(&mut page, pairs);
    tables::early(&mut page, runs);
    page.write(lab)
}
