//! A model as a tree of text. Generators build it; the shrinker drops and unwraps its nodes
//! without knowing the language.

use std::fmt::{self, Display};

/// A piece of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// What it is (`assign`, `atomic`, `process` …): for coverage, and for rules about text.
    pub kind: &'static str,
    /// The lines before the inner pieces; all of it, if there are none.
    pub open: String,
    pub inner: Vec<Tree>,
    /// The lines behind the inner pieces.
    pub close: String,
    /// Simpler text that may stand for the whole piece, simplest first.
    pub simpler: Vec<String>,
    /// Whether the model may still be well-formed without this piece.
    pub droppable: bool,
}

impl Tree {
    /// A piece without inner ones that may be dropped.
    pub fn leaf(kind: &'static str, text: impl Into<String>) -> Tree {
        Tree { open: text.into(), ..Tree::block(kind, "", Vec::new(), "") }
    }

    /// A piece around others.
    pub fn block(
        kind: &'static str,
        open: impl Into<String>,
        inner: Vec<Tree>,
        close: impl Into<String>,
    ) -> Tree {
        let (open, close) = (open.into(), close.into());
        Tree { kind, open, inner, close, simpler: Vec::new(), droppable: true }
    }

    fn write(&self, to: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        write_lines(to, &self.open, indent)?;
        let deeper = if self.open.is_empty() { indent } else { indent + 2 };
        self.inner.iter().try_for_each(|piece| piece.write(to, deeper))?;
        write_lines(to, &self.close, indent)
    }
}

/// The text of the model.
impl Display for Tree {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(to, 0)
    }
}

fn write_lines(to: &mut fmt::Formatter<'_>, text: &str, indent: usize) -> fmt::Result {
    text.lines().try_for_each(|line| writeln!(to, "{:indent$}{line}", ""))
}
