//! A run as a message sequence chart: what each statement sent or received, by looking at the channels before and
//! after it. Crate `chart` draws it.

use std::collections::HashMap;

use lariat_model::interp::{Channel, Interp, Move};
use lariat_model::ir::transition::{Discipline, Sync};
use lariat_model::ir::{Action, Model};

use lariat_chart::{Act, Chart, Event, Row};

use crate::execution::{Ending, Execution, State};
use crate::replay::{Before, Line, describe};
use crate::trace_table;
use crate::values::{channel_name, messages, process_name};

/// The chart of a run.
pub fn chart(model: &Model, execution: &Execution) -> Chart {
    drawn(model, execution, 0, &[])
}

/// The chart of some steps of a run, the first of which has the number `first`, from 0. The columns
/// of the whole run come first, so that all its parts have the same.
pub fn part(model: &Model, execution: &Execution, first: usize, columns: &[(u8, String)]) -> Chart {
    let chart = drawn(model, execution, first, columns);
    Chart { end: "", ..chart }
}

fn drawn(
    model: &Model,
    execution: &Execution,
    first_step: usize,
    columns: &[(u8, String)],
) -> Chart {
    let mut builder = Builder::new(model);
    builder.processes.extend_from_slice(columns);
    let mut loop_row = None;
    for (at, step) in execution.steps.iter().enumerate() {
        if execution.ending == (Ending::Loop { start: at }) {
            loop_row = Some(builder.rows.len());
        }
        let first = builder.rows.len();
        builder.step(first_step + at + 1, execution.before(at), &step.moves, step.state.as_ref());
        if step.state.is_some() && builder.rows.len() > first {
            let truth = execution.truth_behind(at + 1);
            builder.rows.last_mut().expect("there is a new row").truth = truth;
        }
    }
    let end = match execution.ending {
        Ending::Error | Ending::Decided { .. } | Ending::Open => "",
        Ending::Rest => "then no process moves any more",
        Ending::Loop { .. } => "then again from the start of the loop",
    };
    let mut chart = Chart {
        columns: builder.columns(),
        propositions: execution.propositions.iter().map(|p| p.name.clone()).collect(),
        initial: execution.truth_behind(0),
        rows: builder.rows,
        loop_row,
        end,
        is_bad: matches!(execution.ending, Ending::Error | Ending::Decided { holds: false }),
    };
    let pids: Vec<u8> = builder.processes.iter().map(|&(pid, _)| pid).collect();
    order_columns(&mut chart, &pids);
    chart
}

/// Columns in the order of pids.
fn order_columns(chart: &mut Chart, pids: &[u8]) {
    let mut order: Vec<usize> = (0..pids.len()).collect();
    order.sort_by_key(|&column| pids[column]);
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &column)| place[column] = at);
    chart.columns = order.iter().map(|&column| chart.columns[column].clone()).collect();
    for row in &mut chart.rows {
        match &mut row.event {
            Event::Local(act) | Event::Send(act) => act.column = place[act.column],
            Event::Receive { act, sent } => {
                act.column = place[act.column];
                *sent = sent.map(|(row, column)| (row, place[column]));
            }
            Event::Rendezvous { from, to } => {
                (from.column, to.column) = (place[from.column], place[to.column]);
            }
            Event::Gap { .. } => {}
        }
    }
}

struct Builder<'m> {
    interp: Interp<'m>,
    /// Processes with their pid, in the order of their first row.
    processes: Vec<(u8, String)>,
    rows: Vec<Row>,
    /// By channel: the row and column where each message in it was sent, oldest first.
    senders: HashMap<u8, Vec<Option<(usize, usize)>>>,
}

/// A state in the middle of a step.
type Loaded = (Vec<u8>, Vec<u8>);

impl<'m> Builder<'m> {
    fn new(model: &'m Model) -> Self {
        let (processes, rows) = (Vec::new(), Vec::new());
        Builder { interp: Interp::new(model), processes, rows, senders: HashMap::new() }
    }

    fn columns(&self) -> Vec<String> {
        self.processes.iter().map(|(_, name)| name.clone()).collect()
    }

    fn column(&mut self, pid: u8) -> usize {
        let model = self.interp.model();
        let process = self.interp.processes().find(|process| process.pid == pid);
        let name = process.map_or_else(|| format!("({pid})"), |p| process_name(model, &p));
        let known = self.processes.iter().position(|known| *known == (pid, name.clone()));
        known.unwrap_or_else(|| {
            self.processes.push((pid, name));
            self.processes.len() - 1
        })
    }

    fn step(&mut self, step: usize, before: &State, moves: &[Move], after: Option<&State>) {
        // Between the statements, as far as they can be told apart.
        let mut states: Vec<Loaded> = vec![before.clone()];
        let followed = self.interp.follow(&before.0, &before.1, moves);
        states.extend(followed.into_iter().map(|followed| (followed.state, followed.hidden)));
        if let (Some(after), true) = (after, states.len() <= moves.len()) {
            states.resize(moves.len(), before.clone());
            states.push(after.clone());
        }
        let mut lines: Vec<Line> = Vec::new();
        let start = Before { step, state: &before.0, hidden: &before.1 };
        describe(&mut self.interp, start, moves, after, &mut lines);
        let mut at = 0;
        while at < moves.len() {
            let nowhere = states.last().expect("the state before is there").clone();
            let from = states.get(at).unwrap_or(&nowhere).clone();
            let to = states.get(at + 1).unwrap_or(&nowhere).clone();
            at += self.event(&lines[at..], &moves[at..], &from, &to);
        }
    }

    /// Adds a row; how many moves it stands for.
    fn event(&mut self, lines: &[Line], moves: &[Move], from: &Loaded, to: &Loaded) -> usize {
        let model = self.interp.model();
        self.interp.load_with_hidden(&from.0, &from.1);
        let act = self.act(&moves[0], &lines[0]);
        let command = model.command(moves[0].command);
        let is_rendezvous = match &command.action {
            Action::Send(send) => {
                let id = self.interp.eval_loaded(send.channel, Some(moves[0].pid));
                id.is_ok_and(|id| self.capacity(id) == Some(0))
            }
            Action::Transition(transition) => matches!(transition.sync, Some(Sync::Offer { .. })),
            _ => false,
        };
        let (event, taken) = if is_rendezvous && moves.len() > 1 {
            let to = self.act(&moves[1], &lines[1]);
            (Event::Rendezvous { from: act, to }, 2)
        } else {
            (self.local_or_message(act, from, to), 1)
        };
        let changes: Vec<String> =
            lines[..taken].iter().map(|line| trace_table::values(&line.changes)).collect();
        let changes: Vec<&str> =
            changes.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let (step, changes) = (lines[0].step, changes.join(", "));
        self.rows.push(Row { step, event, changes, truth: Vec::new() });
        taken
    }

    fn act(&mut self, taken: &Move, line: &Line) -> Act {
        let model = self.interp.model();
        let place = match line.line {
            0 => String::new(),
            number if line.file == model.name => number.to_string(),
            number => format!("{}:{number}", line.file),
        };
        let text = one_line(&model.command(taken.command).text);
        Act { column: self.column(taken.pid), place, text }
    }

    fn capacity(&self, id: i32) -> Option<u32> {
        let channels = self.interp.channels();
        let channel = channels.iter().find(|channel| i32::from(channel.id) == id)?;
        let model = self.interp.model();
        Some(model.channel_types[channel.channel_type.0 as usize].capacity)
    }

    /// Compares the channels before and after.
    fn local_or_message(&mut self, act: Act, from: &Loaded, to: &Loaded) -> Event {
        let column = act.column;
        let before = self.interp.channels();
        self.interp.load_with_hidden(&to.0, &to.1);
        let after = self.interp.channels();
        let row = self.rows.len();
        let contents = |all: &[Channel], id: u8| {
            let found = all.iter().find(|channel| channel.id == id);
            found.map_or(Vec::new(), |channel| channel.messages.clone())
        };
        let mut event = None;
        for channel in &after {
            let (old, new) = (contents(&before, channel.id), &channel.messages);
            let at = old.iter().zip(new).take_while(|(a, b)| a == b).count();
            let senders = self.senders.entry(channel.id).or_default();
            senders.resize(old.len(), None);
            if new.len() == old.len() + 1 {
                senders.insert(at, Some((row, column)));
                let sent = Channel { messages: vec![new[at].clone()], ..channel.clone() };
                let text = self.message(&sent, '!');
                event = Some(Event::Send(Act { text, ..act.clone() }));
            } else if new.len() + 1 == old.len() {
                let sent = senders.remove(at);
                let taken = Channel { messages: vec![old[at].clone()], ..channel.clone() };
                let text = self.message(&taken, '?');
                event = Some(Event::Receive { act: Act { text, ..act.clone() }, sent });
            } else if *new != old {
                // A d_step did more than one thing to the channel: nobody knows who is who.
                senders.clear();
                senders.resize(new.len(), None);
            }
        }
        self.interp.load_with_hidden(&from.0, &from.1);
        let is_spin = self.interp.model().discipline == Discipline::Spin;
        match event {
            Some(event) if is_spin || act.text.len() > 40 => event,
            Some(Event::Send(_)) => Event::Send(act),
            Some(Event::Receive { sent, .. }) => Event::Receive { act, sent },
            Some(event) => event,
            None => Event::Local(act),
        }
    }

    /// `channel!1,ack`
    fn message(&self, channel: &Channel, mark: char) -> String {
        let name = channel_name(&self.interp, channel);
        let fields = messages(self.interp.model(), channel);
        format!("{name}{mark}{}", fields.trim_start_matches('[').trim_end_matches(']'))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
