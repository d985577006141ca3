//! Runs of actors as message sequence charts, drawn by the crate that draws those of Promela.

use super::{Action, Actor, Envelope, Id, State, System};
use crate::diff;
use crate::run::Run;
use crate::state::Value;
use lariat_chart::{Act, Chart, Event, Row, svg, text};

impl<A: Actor, H: Value> System<A, H> {
    /// A run as a message sequence chart, for the terminal: an actor is a column, a message an arrow.
    pub fn chart(&self, run: &Run<Self>) -> String {
        text(&self.chart_of(run))
    }

    /// The same as an SVG document, with a title.
    pub fn chart_svg(&self, run: &Run<Self>, title: &str) -> String {
        svg(&self.chart_of(run), &[title.to_owned()], "")
    }

    pub(super) fn chart_of(&self, run: &Run<Self>) -> Chart {
        let mut paper = Paper { system: self, rows: Vec::new(), waiting: Vec::new() };
        for me in 0..self.actors.len() {
            paper.sends(0, me, self.start(me).sends);
        }
        let mut loop_row = None;
        let back = run.back_to.map(|back| &run.states[back]);
        let targets = run.states[1..].iter().chain(back);
        for (at, (action, to)) in run.actions.iter().zip(targets).enumerate() {
            if run.back_to == Some(at) {
                loop_row = Some(paper.rows.len());
            }
            paper.step(at + 1, action, &run.states[at], to);
        }
        let end = match run.back_to {
            None => "",
            Some(_) if run.rests() => "then nothing happens any more",
            Some(_) => "then again from the start of the loop",
        };
        let columns = self.actors.iter().enumerate().map(|(me, actor)| actor.name(me));
        Chart {
            columns: columns.collect(),
            propositions: Vec::new(),
            initial: Vec::new(),
            rows: paper.rows,
            loop_row,
            end,
            is_bad: run.back_to.is_none(),
        }
    }
}

struct Paper<'s, A: Actor, H> {
    system: &'s System<A, H>,
    rows: Vec<Row>,
    /// Messages on their way, oldest first, and the rows where they were sent.
    waiting: Vec<(Envelope<A::Message>, usize)>,
}

impl<A: Actor, H: Value> Paper<'_, A, H> {
    fn step(
        &mut self,
        step: usize,
        action: &Action<A::Message, A::Timer>,
        from: &State<A, H>,
        to: &State<A, H>,
    ) {
        let (me, event, sends) = match action {
            Action::Deliver(envelope) => {
                let me = envelope.to;
                let sent = self.sent(envelope, self.system.network.duplicates());
                let act = act(me, format!("{:?}", envelope.message));
                let sends = self.system.receive(&from.actors[me], envelope).sends;
                (me, Event::Receive { act, sent }, sends)
            }
            Action::Drop(envelope) => {
                self.sent(envelope, false);
                let text = format!("lost: {:?}", envelope.message);
                (envelope.to, Event::Local(act(envelope.to, text)), Vec::new())
            }
            Action::Timeout(me, timer) => {
                let before = &from.actors[*me];
                let at = before.timers.iter().position(|set| set == timer);
                let sends = at.map(|at| self.system.timeout(*me, before, at).sends);
                let text = format!("timeout {timer:?}");
                (*me, Event::Local(act(*me, text)), sends.unwrap_or_default())
            }
            Action::Crash(me) => (*me, Event::Local(act(*me, "crash".to_owned())), Vec::new()),
            Action::Recover(me) => {
                let sends = self.system.recover(*me, &from.actors[*me]).sends;
                (*me, Event::Local(act(*me, "recover".to_owned())), sends)
            }
        };
        let said = |state: &State<A, H>| format!("{:?}", state.actors[me].state);
        let changes = diff::changes(&said(from), &said(to)).join(", ");
        self.rows.push(Row { step, event, changes, truth: Vec::new() });
        self.sends(step, me, sends);
    }

    /// Where the oldest such message was sent. It goes on waiting if it comes again and again.
    fn sent(&mut self, envelope: &Envelope<A::Message>, stays: bool) -> Option<(usize, usize)> {
        let at = self.waiting.iter().position(|(waiting, _)| waiting == envelope)?;
        let row = if stays { self.waiting[at].1 } else { self.waiting.remove(at).1 };
        Some((row, envelope.from))
    }

    fn sends(&mut self, step: usize, me: Id, sends: Vec<(Id, A::Message)>) {
        for (to, message) in sends {
            let event = Event::Send(act(me, format!("→{to} {message:?}")));
            let envelope = Envelope { from: me, to, message };
            let is_there = || self.waiting.iter().any(|(waiting, _)| *waiting == envelope);
            if to < self.system.actors.len() && !(self.system.network.duplicates() && is_there()) {
                self.waiting.push((envelope, self.rows.len()));
            }
            self.rows.push(Row { step, event, changes: String::new(), truth: Vec::new() });
        }
    }
}

fn act(column: Id, text: String) -> Act {
    Act { column, place: String::new(), text }
}
