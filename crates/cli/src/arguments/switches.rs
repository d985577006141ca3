//! On/off switches, one argument for each row of a table.

use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Command};
use lariat_core::{Audience, Switch, Switches};

use super::FOR_TESTS;

/// The switches that were given. The id of each argument is its option, with the dashes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<S>(pub(crate) S);

/// What the arguments of these switches are called.
pub(crate) fn options<S: Switches>() -> impl Iterator<Item = &'static str> {
    S::TABLE.iter().map(|switch| switch.option)
}

fn argument<S>(switch: &Switch<S>) -> Arg {
    let long = switch.option.trim_start_matches('-');
    let argument =
        Arg::new(switch.option).long(long).help(switch.help.trim()).action(ArgAction::SetTrue);
    match switch.audience {
        Audience::Users => argument,
        Audience::Tests => argument.hide_short_help(true).help_heading(FOR_TESTS),
    }
}

impl<S: Switches> clap::Args for Given<S> {
    fn augment_args(command: Command) -> Command {
        command.args(S::TABLE.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: Switches> clap::FromArgMatches for Given<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Given(S::default());
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for switch in S::TABLE {
            *(switch.field)(&mut self.0) = matches.get_flag(switch.option);
        }
        Ok(())
    }
}
