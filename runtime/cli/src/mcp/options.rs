//! The command that starts the server.

#[cfg(feature = "metered")]
use clap::{Arg, ArgGroup};
use clap::{ArgAction, Command, value_parser};

#[cfg(feature = "cache")]
use crate::cache;
#[cfg(feature = "metered")]
use crate::money;
use crate::options::{service, value};
#[cfg(feature = "metered")]
use crate::settle;
use crate::table::Program;

/// How many bytes a result has at most, unless an option says otherwise.
const RESULT: &str = "32768";

/// Returns the name of the command. An operation that has it keeps it.
pub(crate) fn name(program: &Program) -> &'static str {
    program.free_name(["mcp", "mcp-server"])
}

pub(crate) fn command(program: &Program) -> Command {
    let mut all = vec![
        value(
            "tools",
            "NAMES",
            "The operations to offer, separated by commas; default: all",
        )
        .value_delimiter(',')
        .action(ArgAction::Append),
        value(
            "max-result-bytes",
            "BYTES",
            "Maximum size of a result, in bytes; the rest is read with its cursor",
        )
        .value_parser(value_parser!(u32).range(2048..))
        .default_value(RESULT),
    ];
    all.extend(service());
    #[cfg(feature = "cache")]
    {
        // An agent decides on no call whether it is made again.
        let [cache, max_age, ..] = cache::options();
        all.extend([cache, max_age]);
    }
    #[cfg(feature = "metered")]
    if program.is_metered() {
        let no_budget = Arg::new("no-budget").long("no-budget");
        let no_budget = no_budget.help("Set no bound on the cost of calls");
        let [budget, price, unbilled] = money::options();
        all.splice(
            ..0,
            [
                budget,
                no_budget
                    .help_heading("Run")
                    .action(ArgAction::SetTrue),
                price,
                unbilled,
                value("journal", "FILE", "Record in this file what was called and paid, with the paid results. The budget then bounds all runs of the server together"),
                settle::option("ID=CREDITS", "Settle a call of the journal that may have been billed, by its id in the history, as the provider's account says, and do nothing else")
                    .requires("journal"),
            ],
        );
        #[cfg(feature = "redis")]
        all.extend(crate::account::options());
    }
    let about = "Serves the operations as tools for agents, by the Model Context Protocol";
    let command = Command::new(name(program)).about(about).args(all);
    #[cfg(feature = "metered")]
    if program.is_metered() {
        let bound = ArgGroup::new("bound").args(["budget", "no-budget"]);
        return command.group(bound.required(true));
    }
    command
}
