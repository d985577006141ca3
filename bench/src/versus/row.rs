//! Both tools on one file.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::Counts;
use super::ours::{self, Ours};
use super::spin::{self, Spin};

/// How the tools compare on one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    Equal,
    Different,
    /// Spin has no answer.
    Unknown,
}

/// For a search with nothing to compare its answer with.
const MOMENT: Duration = Duration::from_millis(200);

pub struct Row {
    pub path: String,
    pub spin: Spin,
    pub ours: Ours,
}

impl Row {
    /// Runs both. Where Spin does not finish in time, there is nothing to compare with, and
    /// lariat has only a moment.
    pub fn measure(corpus: &Path, path: &str, number: usize, limit: Duration) -> io::Result<Row> {
        let spin = spin::run(&corpus.join(path), number, limit)?;
        Ok(Row::beside(spin, corpus, path, limit))
    }

    /// Runs lariat beside an answer of Spin.
    pub fn beside(spin: Spin, corpus: &Path, path: &str, limit: Duration) -> Row {
        let (count, check) = match &spin {
            Spin::Ran { counts, verdict } => (counts.is_some(), verdict.is_some()),
            Spin::Rejected(_) | Spin::DoesNotCompile => (false, false),
        };
        let time = |answered: bool| if answered { 10 * limit } else { MOMENT };
        let ours = ours::run(&corpus.join(path), time(count), time(check));
        Row { path: path.to_owned(), spin, ours }
    }

    fn counts(&self) -> (Option<Counts>, Option<Counts>) {
        let (Spin::Ran { counts: spin, .. }, Ours::Ran { counts: ours, .. }) =
            (&self.spin, &self.ours)
        else {
            return (None, None);
        };
        (*spin, *ours)
    }

    pub fn states(&self) -> Agreement {
        agreement(self.counts(), |counts| counts.states)
    }

    pub fn transitions_and_depth(&self) -> Agreement {
        agreement(self.counts(), |counts| (counts.transitions, counts.depth))
    }

    pub fn verdicts(&self) -> Agreement {
        match (&self.spin, &self.ours) {
            (Spin::Ran { verdict, .. }, Ours::Ran { verdict: ours, .. }) => {
                agreement((verdict.as_ref(), ours.as_ref()), |verdict| verdict)
            }
            _ => Agreement::Unknown,
        }
    }

    /// Spin refuses the file and lariat does not, or the other way round.
    pub fn only_one_accepts(&self) -> bool {
        let spin_accepts = !matches!(self.spin, Spin::Rejected(_));
        let lariat_accepts = !matches!(self.ours, Ours::Refused(_));
        spin_accepts != lariat_accepts
    }

    pub fn has_embedded_c(&self) -> bool {
        matches!(&self.ours, Ours::Refused(message) if message.contains("embedded C"))
    }

    /// The cells of the table: path, states, verdicts, remark.
    pub fn cells(&self) -> [String; 6] {
        let number = |counts: &Option<Counts>| {
            counts.map_or("cut".to_owned(), |counts| counts.states.to_string())
        };
        let word = |verdict: &Option<String>| verdict.clone().unwrap_or("cut".to_owned());
        let (spin_states, spin_verdict) = match &self.spin {
            Spin::Rejected(_) => ("refused".to_owned(), String::new()),
            Spin::DoesNotCompile => ("cc fails".to_owned(), String::new()),
            Spin::Ran { counts, verdict } => (number(counts), word(verdict)),
        };
        let (our_states, our_verdict) = match &self.ours {
            Ours::Refused(_) => ("refused".to_owned(), String::new()),
            Ours::Ran { counts, verdict } => (number(counts), word(verdict)),
        };
        let remark = match (&self.spin, &self.ours) {
            (_, Ours::Refused(message)) => message.clone(),
            (Spin::Rejected(message), _) => message.clone(),
            _ if self.states() == Agreement::Different => "states differ".to_owned(),
            _ if self.verdicts() == Agreement::Different => "verdicts differ".to_owned(),
            _ if self.transitions_and_depth() == Agreement::Different => {
                "transitions or depth differ".to_owned()
            }
            _ if self.states() == Agreement::Equal => "equal".to_owned(),
            _ => String::new(),
        };
        let remark = remark.replace('|', "\\|");
        [self.path.clone(), spin_states, our_states, spin_verdict, our_verdict, remark]
    }
}

fn agreement<T: Clone, K: PartialEq>(
    both: (Option<T>, Option<T>),
    key: impl Fn(T) -> K,
) -> Agreement {
    match both {
        (Some(spin), Some(ours)) if key(spin.clone()) == key(ours.clone()) => Agreement::Equal,
        // A search of ours that takes ten times as long is no answer either.
        (Some(_), _) => Agreement::Different,
        (None, _) => Agreement::Unknown,
    }
}
