//! Random formulas over the propositions of BEEM's models.

use lariat_checks::Algorithm;
use lariat_ltl::Formulas;
use lariat_ltl::random::{Rng, Shape, formula};
use lariat_ltl::syntax::Printer;
use lariat_testing::beem::Beem;
use lariat_verify::Question;
use serde::{Deserialize, Serialize};

use super::how;
use crate::lab::Lab;
use crate::lab::cases::{Case, in_signs};
use crate::lab::measure::{How, check};

/// A model and a formula that were chosen at random.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chosen {
    pub model: String,
    pub formula: String,
    pub is_empty: bool,
}

impl Chosen {
    pub fn case(&self, lab: &Lab) -> Result<Case, String> {
        let file = lab.corpus()?.join("beem/dve").join(&self.model);
        let name = format!("{} {}", self.model, self.formula);
        Case::new(&name, &file, &[], Question::Ltl(self.formula.clone()))
    }
}

/// The propositions of BEEM for the instances of a size, each with its file.
fn models(beem: &Beem, least: u64, most: u64) -> Vec<(String, Vec<String>)> {
    let fits = |row: &lariat_testing::table::Row<'_>| {
        let states = beem.states(row.get("model"), row.get("instance"))?;
        let file = format!("{}.{}.dve", row.get("model"), row.get("instance"));
        ((least..=most).contains(&states) && beem.model(&file).is_some()).then_some(file)
    };
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for row in beem.propositions.rows() {
        let Some(file) = fits(&row) else { continue };
        let expression = in_signs(row.get("expression"));
        match found.iter_mut().find(|(other, _)| *other == file) {
            Some((_, all)) => all.push(expression),
            None => found.push((file, vec![expression])),
        }
    }
    found
}

/// A random formula over some propositions of the model. `|` and `&` between propositions are operators of the model's
/// language, too; what cannot be read is drawn again.
fn random_formula(rng: &mut Rng, propositions: &[String]) -> String {
    let mut formulas = Formulas::new();
    let count = propositions.len().min(3);
    let first = rng.below(propositions.len());
    let shape = Shape { propositions: count, size: 6 + rng.below(8), next: false };
    let formula = formula(&mut formulas, rng, shape);
    let mut text = Printer::new(&formulas).text(formula);
    for at in 0..count {
        let expression = &propositions[(first + at) % propositions.len()];
        text = text.replace(&format!("p{at}"), &format!("({expression})"));
    }
    text
}

/// States of the models, at least and at most.
pub fn sizes(full: bool) -> (u64, u64) {
    if full { (500_000, 8_000_000) } else { (50_000, 1_000_000) }
}

/// How many products of each kind are wanted.
const WANTED: usize = 100;

/// Draws until there are enough products of both kinds.
pub fn draw(lab: &mut Lab) -> Result<Vec<Chosen>, String> {
    let beem = lab.beem()?;
    let (least, most) = sizes(lab.full);
    let (few, seed) = (if lab.full { 400_000 } else { 40_000 }, lab.seed);
    let models = models(&beem, least, most);
    let mut rng = Rng::new(seed);
    let mut chosen: Vec<Chosen> = Vec::new();
    for draw in 0..20_000 {
        let (model, propositions) = &models[rng.below(models.len())];
        let formula = random_formula(&mut rng, propositions);
        let count = |is_empty| chosen.iter().filter(|one| one.is_empty == is_empty).count();
        let missing = [true, false].map(|is_empty| count(is_empty) < WANTED);
        if missing == [false, false] {
            break;
        }
        let one = Chosen { model: model.clone(), formula, is_empty: false };
        let says = lab
            .remember(&format!("draw {seed} {draw} {most} {model} {}", one.formula), || {
                Ok(one_says(&one, &beem, few))
            })?;
        if let Some(is_empty) = says
            && missing[usize::from(!is_empty)]
        {
            chosen.push(Chosen { is_empty, ..one });
        }
    }
    Ok(chosen)
}

/// Whether the product is empty; nothing for one that is too small to tell anything.
fn one_says(one: &Chosen, beem: &Beem, few: u64) -> Option<bool> {
    let text = beem.model(&one.model)?;
    let mut model = lariat_verify::Model::dve(&one.model, &text).ok()?;
    let asked = model.ltl(&one.formula).ok()?;
    let case = Case { name: one.model.clone(), model, asked };
    if case.automaton().ok()?.state_count() == 0 {
        return None;
    }
    let short = How { most: 60 * few, ..how() };
    let found = check(&case, Algorithm::Dijkstra, &short).ok()?;
    match (found.is_empty(), found.has_run()) {
        (true, _) if found.states >= few => Some(true),
        // Most runs are found soon.
        (_, true) if found.states >= few / 40 => Some(false),
        _ => None,
    }
}
