//! The sliding puzzle: a question of reachability is a search for a solution.

use lariat::{Check, Model, Report, Steps, Verdict};
use std::process::ExitCode;

const SIDE: usize = 3;

/// Tiles row by row; 0 is the gap.
type Board = [u8; SIDE * SIDE];

pub struct Puzzle(pub Board);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slide {
    Down,
    Up,
    Right,
    Left,
}

impl Model for Puzzle {
    type State = Board;
    type Action = Slide;

    fn initial(&self) -> Vec<Board> {
        vec![self.0]
    }

    fn steps(&self, board: &Board, to: &mut Steps<'_, Self>) {
        let Some(gap) = board.iter().position(|&tile| tile == 0) else { return };
        let (row, column) = (gap / SIDE, gap % SIDE);
        for (slide, is_possible, from) in [
            (Slide::Down, row > 0, gap.wrapping_sub(SIDE)),
            (Slide::Up, row + 1 < SIDE, gap + SIDE),
            (Slide::Right, column > 0, gap.wrapping_sub(1)),
            (Slide::Left, column + 1 < SIDE, gap + 1),
        ] {
            if is_possible {
                to.step(slide, |board| board.swap(gap, from));
            }
        }
    }
}

pub fn solve(puzzle: &Puzzle) -> Report<Puzzle> {
    Check::of(puzzle).reachable("solved", |board| *board == [0, 1, 2, 3, 4, 5, 6, 7, 8]).run()
}

pub fn main() -> ExitCode {
    let report = solve(&Puzzle([1, 4, 2, 3, 5, 8, 6, 7, 0]));
    if let Verdict::Reached(run) = &report.finding("solved").verdict {
        println!("{:?}", run.actions);
    }
    print!("{report}");
    report.exit_code()
}

#[test]
fn a_shortest_solution() {
    let report = solve(&Puzzle([1, 4, 2, 3, 5, 8, 6, 7, 0]));
    let run = report.finding("solved").verdict.run().expect("it can be solved");
    assert_eq!(run.actions, [Slide::Down, Slide::Right, Slide::Down, Slide::Right]);
    assert_eq!(report.stats.states, 181_440, "half of all boards");
    // The other half cannot be solved.
    let report = solve(&Puzzle([0, 2, 1, 3, 4, 5, 6, 7, 8]));
    assert!(matches!(report.finding("solved").verdict, Verdict::Unreachable));
}
