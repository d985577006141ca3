//! The user chooses every step. Reads standard input, a terminal or not.

use std::io::{BufRead, stdin};

use super::finish;
use super::run::{Next, Run};
use crate::exit::Exit;
use crate::out;

/// Asks until the run is over, too long, in error, or left by the user.
pub(super) fn guide(run: &mut Run<'_>, steps: usize) -> Exit {
    let mut lines = stdin().lock().lines();
    while run.steps() < steps {
        let choices = run.choices();
        for choice in 0..choices {
            outln!("{:>3}: {}", choice + 1, run.describe_choice(choice));
        }
        if choices == 0 {
            outln!("  no process can move");
        }
        out!("step, u, v or q> ");
        out::flush();
        let Some(Ok(answer)) = lines.next() else {
            outln!();
            return leave(run);
        };
        outln!();
        match answer.trim() {
            "q" => return leave(run),
            "u" => {
                if !run.undo() {
                    outln!("this is the initial state");
                }
            }
            "v" => outln!("{}", run.values()),
            number => match number.parse::<usize>() {
                Ok(number) if (1..=choices).contains(&number) => {
                    if let Next::Error(error) = run.take(number - 1) {
                        outln!("error: {error}");
                        return Exit::Violated;
                    }
                }
                _ => outln!("`{number}` is none of the steps; u undoes, v shows, q quits"),
            },
        }
    }
    outln!("stopped after {steps} steps");
    Exit::Holds
}

fn leave(run: &mut Run<'_>) -> Exit {
    if run.choices() == 0 { finish(run) } else { Exit::Holds }
}
