//! A run as a few letters, for links: `1.FINGERPRINT.END.CHOICES`, and `.INITIAL` if there are several initial states.
//!
//! A choice is the number of the step among those of its state, so a link says nothing but what
//! the model can do. Each letter has five bits of a number, and a sixth if more follow.

use std::fmt::Write;
use std::sync::Arc;

use super::run::{Origin, Run};
use super::{Answer, Refusal, Session};
use crate::subject::Finish;
use serde_json::json;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Letters of the fingerprint.
const PRINT: usize = 12;
/// Steps of a run in a link.
const LONGEST: usize = 60_000;

fn put(mut number: usize, out: &mut String) {
    loop {
        let more = number >= 32;
        out.push(char::from(LETTERS[number & 31 | usize::from(more) << 5]));
        number >>= 5;
        if !more {
            return;
        }
    }
}

fn take(letters: &mut std::str::Bytes<'_>) -> Option<usize> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let letter = letters.next()?;
        let value = LETTERS.iter().position(|&known| known == letter)?;
        if shift > 30 {
            return None;
        }
        number |= (value & 31) << shift;
        shift += 5;
        if value < 32 {
            return Some(number);
        }
    }
}

impl Session<'_> {
    /// A run for a link.
    pub fn code(&self, id: &str) -> Answer {
        let run = self.run(id)?;
        if run.steps.len() > LONGEST {
            return Err(Refusal::refused("the run is too long for a link: save it as a file"));
        }
        let mut choices = String::new();
        for (at, step) in run.steps.iter().enumerate() {
            let enabled = self.enabled(&run, at)?;
            // A found run has nothing behind its faulty step, even if the model would go on.
            let is_it = |one: &crate::subject::Enabled| {
                one.step.moves == step.moves
                    && (step.state.is_none() || one.step.state == step.state)
            };
            let choice = enabled.iter().position(is_it);
            let choice =
                choice.ok_or_else(|| Refusal::refused("the model cannot take this step"))?;
            put(choice, &mut choices);
        }
        let print = &self.subject.fingerprint()[..PRINT];
        let mut code = format!("1.{print}.");
        let _ = match run.ending {
            Finish::Loop(start) => write!(code, "l{start}"),
            Finish::Open | Finish::Rest | Finish::Error | Finish::Decided { .. } => {
                write!(code, "o")
            }
        };
        let _ = write!(code, ".{choices}");
        if self.initial_states > 1 {
            let all = self.subject.initial().map_err(|fault| Refusal::refused(fault.message))?;
            let _ =
                write!(code, ".{}", all.iter().position(|one| *one == *run.initial).unwrap_or(0));
        }
        Ok((200, json!({ "code": code })))
    }

    /// The run of a link.
    pub fn decode(&self, code: &str) -> Answer {
        let bad = || Refusal::bad("the link holds no run");
        let mut parts = code.split('.');
        let mut part = || parts.next().ok_or_else(bad);
        let (version, print, end, choices) = (part()?, part()?, part()?, part()?);
        let number = parts.next().map_or(Ok(0), |number| number.parse().map_err(|_| bad()))?;
        if version != "1" {
            return Err(bad());
        }
        if print != &self.subject.fingerprint()[..PRINT] {
            let message = "the link is of another model, or the model has changed since";
            return Err(Refusal::refused(message));
        }
        let initial = self.initial(number)?;
        let mut run =
            Run { origin: Origin::Loaded, title: "from a link".to_owned(), ..Run::played(initial) };
        let mut letters = choices.bytes();
        while letters.len() > 0 {
            if run.steps.len() >= LONGEST || run.ending != Finish::Open {
                return Err(bad());
            }
            let choice = take(&mut letters).ok_or_else(bad)?;
            let at = run.steps.len();
            let mut enabled = self.enabled(&run, at)?;
            if choice >= enabled.len() {
                let message = format!("the model has no step {choice} at position {at}");
                return Err(Refusal::refused(message));
            }
            let chosen = enabled.swap_remove(choice);
            if chosen.error.is_some() || chosen.step.state.is_none() {
                run.ending = Finish::Error;
                run.error = chosen.error;
            }
            run.steps.push(Arc::new(chosen.step));
        }
        let last = run.steps.len();
        if let Some(start) = end.strip_prefix('l') {
            let start: usize = start.parse().map_err(|_| bad())?;
            if start >= last || run.state(start) != run.state(last) {
                return Err(Refusal::refused("the loop of the link is not closed"));
            }
            run.ending = Finish::Loop(start);
        } else if run.ending == Finish::Open && self.enabled(&run, last)?.is_empty() {
            run.ending = Finish::Rest;
        }
        let id = self.add(run)?;
        Ok((201, self.summary_of(&id)?.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 31, 32, 33, 1023, 1024, 70_000];
        let mut text = String::new();
        numbers.iter().for_each(|&number| put(number, &mut text));
        let mut letters = text.bytes();
        let read: Vec<usize> = numbers.iter().filter_map(|_| take(&mut letters)).collect();
        assert_eq!(read, numbers);
        assert_eq!(letters.len(), 0);
        assert_eq!(take(&mut "________".bytes()), None, "no end");
        assert_eq!(take(&mut "!".bytes()), None);
    }
}
