//! An exchange that is used in another thread than the one it lives in: some cannot be moved, and searches are handed on.
//!
//! Every call is handed over as it is, in order, so the contract of the exchange behind it holds here, too. Only whether it may send is as old as the last answer.

use super::{Broken, Event, Exchange};
use std::sync::mpsc::{Receiver, Sender, channel};

#[derive(Debug)]
enum Ask {
    Send(usize, Vec<u8>),
    Call(u64),
    Poll,
    Rest,
}

type Answer = (Result<Option<Event>, Broken>, bool);

/// The end for the search.
#[derive(Debug)]
pub struct Relay {
    me: usize,
    workers: usize,
    may_send: bool,
    asks: Sender<Ask>,
    answers: Receiver<Answer>,
}

/// The end for the thread that has the exchange.
#[derive(Debug)]
pub struct Served {
    asks: Receiver<Ask>,
    answers: Sender<Answer>,
}

/// Both ends for an exchange.
pub fn relay(exchange: &dyn Exchange) -> (Relay, Served) {
    let ((to, asks), (answers, from)) = (channel(), channel());
    let (me, workers) = (exchange.me(), exchange.workers());
    (Relay { me, workers, may_send: true, asks: to, answers: from }, Served { asks, answers })
}

impl Served {
    /// Hands over until the other end is dropped.
    pub fn serve(self, exchange: &mut dyn Exchange) {
        while let Ok(ask) = self.asks.recv() {
            let answer = match ask {
                Ask::Send(to, bytes) => {
                    exchange.send(to, bytes);
                    continue;
                }
                Ask::Call(word) => {
                    exchange.call(word);
                    continue;
                }
                Ask::Poll => exchange.poll(),
                Ask::Rest => exchange.rest().map(Some),
            };
            if self.answers.send((answer, exchange.may_send())).is_err() {
                return;
            }
        }
    }
}

impl Relay {
    fn gone() -> Broken {
        Broken { what: "the thread that exchanges messages is gone".to_owned() }
    }

    fn ask(&mut self, ask: Ask) -> Result<Option<Event>, Broken> {
        self.asks.send(ask).map_err(|_| Relay::gone())?;
        let (answer, may_send) = self.answers.recv().map_err(|_| Relay::gone())?;
        self.may_send = may_send;
        answer
    }
}

impl Exchange for Relay {
    fn me(&self) -> usize {
        self.me
    }

    fn workers(&self) -> usize {
        self.workers
    }

    fn may_send(&self) -> bool {
        self.may_send
    }

    /// If nobody is there any more, the next answer says so.
    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        let _ = self.asks.send(Ask::Send(to, bytes));
    }

    fn call(&mut self, word: u64) {
        let _ = self.asks.send(Ask::Call(word));
    }

    fn poll(&mut self) -> Result<Option<Event>, Broken> {
        self.ask(Ask::Poll)
    }

    fn rest(&mut self) -> Result<Event, Broken> {
        self.ask(Ask::Rest)?.ok_or_else(Relay::gone)
    }
}

#[cfg(test)]
mod tests {
    use super::super::local::local;
    use super::*;

    #[test]
    fn what_is_said_arrives_through_relays() {
        let ends = local(3);
        let all: Vec<Vec<Vec<u8>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (ends.into_iter())
                .map(|mut end| {
                    scope.spawn(move || {
                        let (mut relay, served) = relay(&end);
                        std::thread::scope(|scope| {
                            let work = scope.spawn(move || {
                                let me = relay.me() as u8;
                                relay.agree(&[me]).and_then(|_| relay.agree(&[me, me]))
                            });
                            served.serve(&mut end);
                            work.join().expect("no panic").expect("all are there")
                        })
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(all, vec![vec![vec![0, 0], vec![1, 1], vec![2, 2]]; 3]);
    }
}
