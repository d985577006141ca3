//! What is printed of a translation.

use super::formulas::Entry;
use super::{Args, Format};
use crate::exit::Exit;
use lariat_automata::{classify, dot, hoa};
use lariat_ltl::syntax::Printer;
use lariat_ltl::translate::Translation;
use lariat_ltl::{Formulas, Ltl, never, stutter};

pub(crate) const STATS_HEADER: &str = "line,states,edges,marks,deterministic,weak,terminal,\
stutter_invariant,inherently_weak,very_weak,complete,state_based,formula";

pub(crate) fn print(
    all: &mut Formulas,
    entry: &Entry,
    f: Ltl,
    done: Translation,
    args: &Args,
) -> Exit {
    let mut automaton = done.automaton;
    automaton.name = Some(Printer::new(all).text(f));
    match args.output {
        Format::Hoa => out!("{}", hoa::to_string(&automaton)),
        Format::Dot => out!("{}", dot::to_string(&automaton)),
        Format::Never => match never::write(&automaton, &Printer::new(all).text(f)) {
            Ok(claim) => out!("{claim}"),
            Err(error) => {
                errln!("{}:{}: inconclusive: {error}", entry.file, entry.line);
                return Exit::Inconclusive;
            }
        },
        Format::Stats | Format::Summary => {
            let classes = classify(&automaton);
            // When it cannot be decided in reasonable size, the cautious answer is no.
            let stutter = stutter::is_invariant(all, f, args.max_states).unwrap_or(false);
            let (states, edges) = (automaton.state_count(), automaton.edge_count());
            let marks = automaton.mark_count;
            if args.output == Format::Stats {
                let bit = |fact: bool| fact as u8;
                outln!(
                    "{},{states},{edges},{marks},{},{},{},{},{},{},{},{},\"{}\"",
                    entry.line,
                    bit(classes.deterministic),
                    bit(classes.weak),
                    bit(classes.terminal),
                    bit(stutter),
                    bit(classes.inherently_weak),
                    bit(classes.very_weak),
                    bit(classes.complete),
                    bit(classes.state_based),
                    entry.text.trim().replace('"', "\"\""),
                );
                return Exit::Holds;
            }
            let strength = match () {
                () if classes.terminal => "terminal",
                () if classes.very_weak => "very weak",
                () if classes.weak => "weak",
                () => "general",
            };
            let determinism =
                if classes.deterministic { "deterministic" } else { "nondeterministic" };
            let stutter = if stutter { "stutter-invariant" } else { "stutter-sensitive" };
            outln!(
                "{}: {states} states, {edges} edges, {marks} acceptance sets; {strength}, \
                 {determinism}, {stutter}; read as {}, simplified to {}",
                entry.text.trim(),
                Printer::new(all).explicit().text(f),
                Printer::new(all).text(done.simplified),
            );
        }
    }
    Exit::Holds
}
