//! Runs in files that `lariat replay` reads.

use serde_json::{Value, json};

use super::run::{Origin, Run};
use super::{Answer, Refusal, Session};

impl Session<'_> {
    /// A run as a document.
    pub fn save(&self, id: &str) -> Answer {
        let run = self.run(id)?;
        let saved = match &run.saved {
            Some(saved) => saved.clone(),
            None => self.subject.played(&run.initial, &run.steps, run.ending),
        };
        let document = self.subject.document(&saved).map_err(Refusal::refused)?;
        Ok((200, document))
    }

    /// The runs of a document, each judged again.
    pub fn load(&self, document: Value) -> Answer {
        let runs = self.subject.documented(document).map_err(Refusal::refused)?;
        if runs.len() > self.limits.runs / 2 {
            return Err(Refusal::refused("there are too many runs in the file"));
        }
        let mut loaded = Vec::new();
        for saved in runs {
            // The judge is not disturbed by the clock.
            if saved["steps"].as_array().map_or(0, Vec::len) > self.limits.steps {
                let most = self.limits.steps;
                return Err(Refusal::refused(format!("a run has at most {most} steps here")));
            }
            let judged = self.subject.judged(&saved).map_err(Refusal::refused)?;
            let question = judged.question.clone();
            let mut run = Run::judged(judged, saved, Origin::Loaded);
            run.property = question.and_then(|asked| Some(self.property_id(&asked).ok()?.0));
            loaded.push(run);
        }
        let mut all = Vec::new();
        for run in loaded {
            let id = self.add(run)?;
            all.push(self.summary_of(&id)?.1);
        }
        Ok((201, json!({ "runs": all })))
    }
}
