//! The user chooses every step. Reads standard input, a terminal or not.

use std::io::{BufRead, Write, stdin, stdout};

use super::finish;
use super::run::{Next, Run};
use crate::exit::Exit;

/// Asks until the run is over, too long, in error, or left by the user.
pub(super) fn guide(run: &mut Run<'_>, steps: usize) -> Exit {
    let mut lines = stdin().lock().lines();
    while run.steps() < steps {
        let choices = run.choices();
        for choice in 0..choices {
            println!("{:>3}: {}", choice + 1, run.describe_choice(choice));
        }
        if choices == 0 {
            println!("  no process can move");
        }
        print!("step, u, v or q> ");
        // If the prompt cannot be written, the user will not answer it either.
        let _ = stdout().flush();
        let Some(Ok(answer)) = lines.next() else {
            println!();
            return leave(run);
        };
        println!();
        match answer.trim() {
            "q" => return leave(run),
            "u" => {
                if !run.undo() {
                    println!("this is the initial state");
                }
            }
            "v" => println!("{}", run.values()),
            number => match number.parse::<usize>() {
                Ok(number) if (1..=choices).contains(&number) => {
                    if let Next::Error(error) = run.take(number - 1) {
                        println!("error: {error}");
                        return Exit::Violated;
                    }
                }
                _ => println!("`{number}` is none of the steps; u undoes, v shows, q quits"),
            },
        }
    }
    println!("stopped after {steps} steps");
    Exit::Holds
}

fn leave(run: &mut Run<'_>) -> Exit {
    if run.choices() == 0 { finish(run) } else { Exit::Holds }
}
