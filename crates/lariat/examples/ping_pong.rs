//! Ping-pong, plain and as actors: without loss the game goes on, with loss it need not.

use lariat::actor::{self, Actor, Id, Network, OutOf, System};
use lariat::{Check, Model, State, Steps, always, eventually, prop};
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Rounds count modulo this.
const ROUNDS: u8 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ball {
    Ping(u8),
    Pong(u8),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub struct Game {
    rounds: [u8; 2],
    balls: BTreeSet<Ball>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Catch(Ball),
    Lose(Ball),
}

pub struct Plain {
    pub loses: bool,
}

impl Model for Plain {
    type State = Game;
    type Action = Action;

    fn initial(&self) -> Vec<Game> {
        vec![Game { rounds: [0; 2], balls: BTreeSet::from([Ball::Ping(0)]) }]
    }

    fn steps(&self, game: &Game, to: &mut Steps<'_, Self>) {
        for &ball in &game.balls {
            if self.loses {
                to.step(Action::Lose(ball), |game| game.balls.remove(&ball));
            }
            to.step(Action::Catch(ball), |game| {
                game.balls.remove(&ball);
                match ball {
                    Ball::Ping(round) => {
                        game.rounds[1] = (round + 1) % ROUNDS;
                        game.balls.insert(Ball::Pong(round));
                    }
                    Ball::Pong(round) => {
                        game.rounds[0] = (round + 1) % ROUNDS;
                        game.balls.insert(Ball::Ping((round + 1) % ROUNDS));
                    }
                }
            });
        }
    }
}

pub struct Player;

impl Actor for Player {
    type State = u8;
    type Message = Ball;
    type Timer = ();

    fn start(&self, me: Id, out: &mut OutOf<Self>) -> u8 {
        if me == 0 {
            out.send(1, Ball::Ping(0));
        }
        0
    }

    fn receive(&self, _: Id, rounds: &mut u8, from: Id, ball: &Ball, out: &mut OutOf<Self>) {
        let (Ball::Ping(round) | Ball::Pong(round)) = *ball;
        *rounds = (round + 1) % ROUNDS;
        match ball {
            Ball::Ping(round) => out.send(from, Ball::Pong(*round)),
            Ball::Pong(_) => out.send(from, Ball::Ping(*rounds)),
        }
    }
}

pub fn players(loses: bool) -> System<Player> {
    System::new([Player, Player], Network::Unordered { loses, duplicates: false })
}

pub fn main() -> ExitCode {
    let goes_on = always(eventually(prop("0", |s: &actor::State<Player>| **s.actors[0] == 0)));
    let report = Check::of(&players(true)).holds("goes on", goes_on).run();
    print!("{report}");
    report.exit_code()
}

#[test]
fn plain_and_as_actors() {
    for loses in [false, true] {
        let plain = Plain { loses };
        let zero = prop("0", |game: &Game| game.rounds[0] == 0);
        let one =
            Check::of(&plain).holds("goes on", always(eventually(zero))).always("", |_| true).run();
        let actors = players(loses);
        let zero = prop("0", |s: &actor::State<Player>| **s.actors[0] == 0);
        let other = Check::of(&actors)
            .holds("goes on", always(eventually(zero)))
            .always("", |_| true)
            .run();
        assert_eq!(
            (one.stats.states, one.stats.transitions),
            (other.stats.states, other.stats.transitions)
        );
        match loses {
            false => (one.assert_ok(), other.assert_ok()),
            true => {
                assert!(one.assert_violated("goes on").rests());
                assert!(other.assert_violated("goes on").rests());
                ((), ())
            }
        };
    }
}
