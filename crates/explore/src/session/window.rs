//! Some steps of a run, one position, the whole in buckets.

use serde_json::{Value, json};

use super::play::is_same;
use super::run::Run;
use super::{Answer, Refusal, Session};
use crate::subject::{Part, Step, Valued};
use std::sync::Arc;

impl Session<'_> {
    /// Steps from one number up to another.
    pub fn steps(&self, id: &str, from: usize, to: usize, property: Option<&str>) -> Answer {
        let run = self.run(id)?;
        let (from, to) = self.range(&run, from, to, self.limits.window)?;
        let told = self.subject.tell(&run.part(from, to));
        let steps: Vec<Value> = told
            .iter()
            .enumerate()
            .map(|(at, told)| {
                json!({ "at": from + at, "statements": told.statements, "changed": told.changed })
            })
            .collect();
        let mut answer = json!({ "from": from, "to": to, "steps": steps });
        if let Some(property) = property {
            let lens = self.lens(property)?;
            let waves = lens.waves(id, &run);
            let (truth, states) = waves.window(from, to);
            let names = lens.bound.propositions();
            answer["truth"] = json!({ "propositions": names, "from": from, "values": truth });
            answer["automaton"] = match lens.bound.automaton() {
                Some(_) => json!({ "from": from, "states": states }),
                None => Value::Null,
            };
        }
        Ok((200, answer))
    }

    fn range(
        &self,
        run: &Run,
        from: usize,
        to: usize,
        most: usize,
    ) -> Result<(usize, usize), Refusal> {
        let to = to.min(run.steps.len());
        if from > to {
            return Err(Refusal::bad(format!("steps {from} to {to}: there are none")));
        }
        if to - from > most {
            return Err(Refusal::bad(format!("at most {most} steps at once")));
        }
        Ok((from, to))
    }

    /// Everything about one position.
    pub fn state(&self, id: &str, at: usize, property: Option<&str>) -> Answer {
        let run = self.run(id)?;
        let enabled = self.enabled(&run, at)?;
        let Some(state) = run.state(at) else {
            return Ok((
                200,
                json!({
                    "at": at, "values": [], "processes": [], "steps": [], "truth": null,
                    "automaton": null, "is_valid_end": false, "is_stuck": true,
                }),
            ));
        };
        let values = self.subject.values(state);
        let before = at.checked_sub(1).and_then(|at| run.state(at));
        let before = before.map(|state| self.subject.values(state));
        let values: Vec<Value> = values
            .iter()
            .enumerate()
            .map(|(n, value)| with_change(n, value, before.as_deref()))
            .collect();
        let mut processes = Vec::new();
        for standing in self.subject.standings(state) {
            let has_it =
                |step: &Step| step.moves.first().is_some_and(|&(pid, _)| pid == standing.pid);
            let count = enabled.iter().filter(|one| has_it(&one.step)).count();
            let mut standing = json!(standing);
            standing["enabled"] = json!(count);
            processes.push(standing);
        }
        let is_stuck = enabled.is_empty();
        let mut steps = Vec::new();
        for (choice, one) in enabled.into_iter().enumerate() {
            let taken = run.steps.get(at).is_some_and(|next| is_same(next, &one.step));
            let next = one.step.state.as_ref();
            let leads_to = next.and_then(|next| run.all_states().position(|state| state == next));
            let step = [Arc::new(one.step)];
            let part = Part { before: state, steps: &step, first: at, decides: false };
            let told = self.subject.tell(&part).pop();
            let told = told.ok_or_else(|| Refusal::bad("this step cannot be told"))?;
            let first = told.statements.first();
            steps.push(json!({
                "choice": choice,
                "pid": first.map(|first| first.pid),
                "process": first.map(|first| &first.process),
                "statements": told.statements,
                "changed": told.changed,
                "error": one.error.map(|error| error.message),
                "taken": taken,
                "leads_to": leads_to,
            }));
        }
        let (mut truth, mut automaton) = (Value::Null, Value::Null);
        if let Some(property) = property {
            let lens = self.lens(property)?;
            let waves = lens.waves(id, &run);
            let (values, states) = waves.window(at, at);
            truth = json!({ "propositions": lens.bound.propositions(), "values": values });
            automaton = lens.bound.automaton().map_or(Value::Null, |_| json!(states[0]));
        }
        Ok((
            200,
            json!({
                "at": at,
                "values": values,
                "processes": processes,
                "steps": steps,
                "truth": truth,
                "automaton": automaton,
                "is_valid_end": self.subject.is_valid_end(state),
                "is_stuck": is_stuck,
            }),
        ))
    }

    /// The whole run in buckets.
    pub fn overview(&self, id: &str, buckets: usize, property: Option<&str>) -> Answer {
        let run = self.run(id)?;
        if buckets == 0 || buckets > self.limits.buckets {
            return Err(Refusal::bad(format!("1 to {} buckets", self.limits.buckets)));
        }
        let steps = run.steps.len();
        let buckets = buckets.min(steps.max(1));
        let movers = run.processes(&*self.subject);
        let bounds = |bucket: usize| (bucket * steps / buckets, (bucket + 1) * steps / buckets);
        let who = (0..buckets).map(|bucket| {
            let (from, to) = bounds(bucket);
            let mut counts: Vec<(u16, usize)> = Vec::new();
            for &column in movers.of_steps[from..to].iter().flatten() {
                match counts.iter_mut().find(|(known, _)| *known == column) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((column, 1)),
                }
            }
            counts.sort_unstable();
            counts
        });
        let who: Vec<_> = who.collect();
        let mut truth = Vec::new();
        if let Some(property) = property {
            let lens = self.lens(property)?;
            let waves = lens.waves(id, &run);
            for (at, name) in lens.bound.propositions().iter().enumerate() {
                let values: String = (0..buckets)
                    .map(|bucket| {
                        let (from, to) = bounds(bucket);
                        waves.summary(at, from + 1, to + 1)
                    })
                    .collect();
                truth.push(json!({ "name": name, "values": values }));
            }
        }
        let mut marks = Vec::new();
        if let Some(start) = run.loop_start() {
            marks.push(json!({ "at": start, "kind": "loop" }));
        }
        if let Some((_, at)) = &run.parent {
            marks.push(json!({ "at": at, "kind": "branch" }));
        }
        marks.push(json!({ "at": steps, "kind": "end" }));
        Ok((
            200,
            json!({ "steps": steps, "buckets": buckets, "who": who, "truth": truth, "marks": marks }),
        ))
    }

    /// Some steps as a message sequence chart in SVG.
    pub fn chart(
        &self,
        id: &str,
        from: usize,
        to: usize,
        property: Option<&str>,
    ) -> Result<String, Refusal> {
        let run = self.run(id)?;
        let (from, to) = self.range(&run, from, to, self.limits.chart)?;
        let columns = &run.processes(&*self.subject).columns;
        let mut chart = self.subject.chart(&run.part(from, to), columns);
        if let Some(start) = run.loop_start().filter(|&start| start < to) {
            chart.loop_row = chart.rows.iter().position(|row| row.step > start);
        }
        if let Some(property) = property {
            let lens = self.lens(property)?;
            let waves = lens.waves(id, &run);
            chart.propositions = lens.bound.propositions().to_vec();
            chart.initial = waves.holds(from);
            for at in 0..chart.rows.len() {
                let step = chart.rows[at].step;
                // The truth stands beside the last statement of a step.
                if chart.rows.get(at + 1).is_none_or(|next| next.step != step) {
                    chart.rows[at].truth = waves.holds(step);
                }
            }
        }
        if to == run.steps.len() {
            chart.end = match run.ending.name() {
                "loop" => "then again from the start of the loop",
                "rest" => "then no process moves any more",
                _ => "",
            };
            chart.is_bad = run.error.as_ref().is_some_and(|error| error.kind != "reached");
        }
        Ok(lariat_chart::svg(&chart, &[], ""))
    }
}

/// A value, and what it was at the position before.
fn with_change(at: usize, value: &Valued, before: Option<&[Valued]>) -> Value {
    let old = before.map(|before| {
        let same_place = before.get(at).filter(|old| old.name == value.name);
        same_place.or_else(|| before.iter().find(|old| old.name == value.name))
    });
    let old = old.map(|old| old.map(|old| old.value.clone()));
    let mut found = json!(value);
    let changed = old.as_ref().is_some_and(|old| old.as_ref() != Some(&value.value));
    found["changed"] = json!(changed);
    if changed {
        found["before"] = json!(old.flatten());
    }
    found
}
