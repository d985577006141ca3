//! Cycle provisos of the papers by name (docs/por.md).

use crate::algorithm::{Algorithm, Store};
use crate::erased::Erased;
use crate::setup::Setup;
use lariat_core::{Fixed, Graph, Outcome};
use lariat_search::emptiness::nested::ample::{cvwy, hpy, se, selection};
use lariat_store::Exact;

/// What keeps partial-order reduction from putting off a step for ever, by the stack of the product's
/// search. Each of these may miss a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackProviso {
    /// Nothing is kept between the two searches: HPY Fig. 2 and 3.
    Stack,
    /// HPY §5.2.
    SelectionNumber,
    /// HPY §5.2.
    SelectionBit,
    /// SE §6.
    Discard,
}

impl StackProviso {
    pub const ALL: [StackProviso; 4] = [
        StackProviso::Stack,
        StackProviso::SelectionNumber,
        StackProviso::SelectionBit,
        StackProviso::Discard,
    ];

    pub fn named(name: &str) -> Option<StackProviso> {
        StackProviso::ALL.into_iter().find(|proviso| proviso.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            StackProviso::Stack => "stack",
            StackProviso::SelectionNumber => "selection-number",
            StackProviso::SelectionBit => "selection-bit",
            StackProviso::Discard => "discard",
        }
    }

    /// The check whose form with reduction it is.
    pub fn algorithm(self) -> Algorithm {
        match self {
            StackProviso::Stack => Algorithm::Cvwy,
            StackProviso::SelectionNumber | StackProviso::SelectionBit => Algorithm::Hpy,
            StackProviso::Discard => Algorithm::Se,
        }
    }

    /// The setup with its check. What does not go with it is refused.
    pub fn setup(self, setup: &Setup) -> Result<Setup, String> {
        let (name, algorithm) = (self.name(), self.algorithm());
        if ![Algorithm::Auto, algorithm].contains(&setup.algorithm) {
            let (needs, asked) = (algorithm.name(), setup.algorithm.name());
            return Err(format!("--por-proviso {name} is a form of {needs}, not of {asked}"));
        }
        if setup.store != Store::Exact || setup.shortest {
            let what = if setup.shortest { "--shortest" } else { "searches in bounded memory" };
            return Err(format!("--por-proviso {name} does not go with {what}"));
        }
        Ok(Setup { algorithm, ..setup.clone() })
    }

    /// Runs its check on a product with candidates.
    pub fn check(self, graph: &mut dyn Graph<Batch = Fixed<2>>, setup: &Setup) -> Outcome {
        let (graph, options) = (&mut Erased(graph), setup.options());
        match self {
            StackProviso::Stack => {
                cvwy::check::<_, _, selection::Forgotten>(graph, &mut rows(), options)
            }
            StackProviso::SelectionNumber => {
                hpy::check::<_, _, selection::Number>(graph, &mut rows(), options)
            }
            StackProviso::SelectionBit => {
                hpy::check::<_, _, selection::Bit>(graph, &mut rows(), options)
            }
            StackProviso::Discard => se::check(graph, &mut rows(), options),
        }
    }
}

fn rows<T: Copy + Default>() -> Exact<T, Vec<[u32; 2]>> {
    Exact::new(Vec::new())
}
