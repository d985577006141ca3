//! How much a translation tries.

use lariat_ltl::translate::{Level, Options};

#[derive(clap::Args, Clone)]
pub(crate) struct Effort {
    /// Quick: no implication tests, no minimisation
    #[arg(long, group = "level")]
    low: bool,
    /// Between the two
    #[arg(long, group = "level")]
    medium: bool,
    /// Small automata (the default)
    #[arg(long, group = "level")]
    high: bool,
    /// Leave out a step that the level has
    #[arg(long, value_enum, value_name = "STEP", value_delimiter = ',')]
    without: Vec<TranslationStep>,
}

#[derive(clap::ValueEnum, Clone, Copy)]
enum TranslationStep {
    /// Rewriting rules that look at operators only
    Rewriting,
    /// Rewriting rules for eventual and universal formulas
    EventualUniversal,
    /// Rewriting rules for operands of which one implies the other by its shape
    Implication,
    /// The same, decided by automata
    Containment,
    /// Letters taken apart before edges are made of them
    Letters,
    /// Removal of useless components and marks
    Prune,
    /// Direct simulation
    Simulation,
    /// Reverse simulation
    ReverseSimulation,
    /// Minimisation of obligations
    Obligations,
}

impl Effort {
    pub(crate) fn options(&self) -> Options {
        let level = match (self.low, self.medium) {
            (true, _) => Level::Low,
            (_, true) => Level::Medium,
            _ => Level::High,
        };
        let mut options = Options::new(level);
        for step in &self.without {
            match step {
                TranslationStep::Rewriting => options.simplify.basic = false,
                TranslationStep::EventualUniversal => options.simplify.eventual_universal = false,
                TranslationStep::Implication => options.simplify.implication = false,
                TranslationStep::Containment => options.simplify.containment = false,
                TranslationStep::Letters => options.by_letter = false,
                TranslationStep::Prune => options.prune = false,
                TranslationStep::Simulation => options.forward_simulation = false,
                TranslationStep::ReverseSimulation => options.backward_simulation = false,
                TranslationStep::Obligations => options.minimise_obligations = false,
            }
        }
        options
    }
}
