//! The parser of a command line, made from the table of a program.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use serde_json::Value;

#[cfg(feature = "redis")]
use crate::account;
use crate::argument::{Argument, Kind};
use crate::arguments::{Arguments, Refusal};
#[cfg(feature = "cache")]
use crate::cache;
use crate::ended::exit_codes;
#[cfg(feature = "mcp")]
use crate::mcp;
#[cfg(feature = "metered")]
use crate::money;
use crate::options::{RUN, flag, service, value};
#[cfg(feature = "metered")]
use crate::settle;
use crate::table::{self, Does, Program};
use crate::target;
use generated_client::document::Auth;
use generated_client::document::Carrier;
use generated_client::internal::schemes;

/// Returns the parser. With a list of inputs, the first positional argument is not given.
pub(crate) fn parser(program: &Program, has_list: bool) -> Command {
    let parser = Command::new(program.api.name)
        .version(program.api.version)
        .about(program.about)
        .after_help(format!(
            "{}\n\n{}",
            environment(program),
            exit_codes(program.is_metered())
        ))
        .disable_help_subcommand(true)
        .arg_required_else_help(true)
        .arg(completions())
        .subcommands(subcommands(program, has_list, common));
    #[cfg(feature = "mcp")]
    let parser = parser.subcommand(mcp::command(program));
    #[cfg(feature = "redis")]
    let parser = if program.is_metered() {
        account::manage_options(parser, program.api)
    } else {
        parser
    };
    parser
}

/// Shows the options that all operations have, too.
pub(crate) const HELP_ALL: &str = "--help-all";

/// Returns the options that an operation has beside its arguments.
type Options = fn(&table::Command, bool) -> Vec<Arg>;

/// Returns the commands: those of a handle are below its name.
pub(crate) fn subcommands(program: &Program, has_list: bool, options: Options) -> Vec<Command> {
    let mut all: Vec<Command> = Vec::new();
    let mut handles: BTreeMap<&str, Vec<Command>> = BTreeMap::new();
    for one in program.commands.iter().copied().flatten() {
        let command = command(one, has_list, options(one, program.is_metered()));
        match one.handle {
            "" => all.push(command),
            handle => handles.entry(handle).or_default().push(command),
        }
    }
    all.extend(handles.into_iter().map(|(handle, commands)| {
        Command::new(handle.to_owned())
            .about(match commands.len() {
                1 => "1 operation".to_owned(),
                several => format!("{several} operations"),
            })
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            .subcommands(commands)
    }));
    all
}

/// Returns the parser with the options that all operations have in the help of each.
pub(crate) fn with_all_options(parser: Command) -> Command {
    let parser = parser.mut_subcommands(with_all_options);
    parser.mut_args(|arg| {
        if arg.get_help_heading() == Some(RUN) {
            arg.hide(false)
        } else if arg.get_id() == HELP_ALL {
            arg.action(ArgAction::HelpLong)
        } else {
            arg
        }
    })
}

fn completions() -> Arg {
    Arg::new("completions")
        .long("completions")
        .value_name("SHELL")
        .value_parser(value_parser!(Shell))
        .help("Write the completions of a shell, and do nothing else")
}

/// Describes the variables for the address and the credentials of the service.
fn environment(program: &Program) -> String {
    let prefix = program.api.environment;
    let documented = program.api.base_url;
    let instead = documented.map(|url| format!(", if not {url}"));
    let instead = instead.unwrap_or_default();
    let mut lines = vec![format!(
        "  {prefix}_BASE_URL  the address of the API{instead}"
    )];
    match program.api.auth {
        Auth::None => {}
        Auth::Header(_) | Auth::Bearer => {
            lines.push(format!(
                "  {prefix}_API_KEY   the key; never an argument, which other programs can see"
            ));
        }
        Auth::Schemes { .. } => {
            for scheme in schemes(program.api.auth) {
                let variable = scheme.variable;
                lines.push(match scheme.carrier {
                    Carrier::Basic => {
                        format!("  {prefix}_{variable}_USER, {prefix}_{variable}_PASSWORD")
                    }
                    _ => format!("  {prefix}_{variable}"),
                });
            }
        }
    }
    format!("Environment:\n{}", lines.join("\n"))
}

fn command(command: &'static table::Command, has_list: bool, common: Vec<Arg>) -> Command {
    let longs: Vec<&str> = common.iter().filter_map(Arg::get_long).collect();
    let listed = listed(command).filter(|_| has_list);
    let own = command.arguments.iter();
    let own = own
        .filter(|argument| listed.is_none_or(|listed| listed.name != argument.name))
        .flat_map(|argument| {
            let clear = clear(argument, command, &longs);
            [own_argument(argument, command, &longs)]
                .into_iter()
                .chain(clear)
        });
    let own: Vec<Arg> = own.collect();
    let about = command.about.lines().next().unwrap_or_default();
    Command::new(command.name)
        .about(about)
        .long_about(
            format!("{}\n\n{}", command.about, command.note)
                .trim_end()
                .to_owned(),
        )
        .args(own)
        .args(common.into_iter().map(|arg| {
            let is_required = arg.is_required_set();
            arg.hide(!is_required)
        }))
        .arg(
            Arg::new(HELP_ALL)
                .long(HELP_ALL.trim_start_matches('-'))
                .help("Print help with the options that all operations have")
                .action(ArgAction::SetTrue),
        )
}

/// Returns the argument whose values `--from` reads: the first one by position.
pub(crate) fn listed(command: &table::Command) -> Option<&'static Argument> {
    let arguments: &'static [Argument] = command.arguments;
    arguments.iter().find(|argument| argument.is_positional)
}

/// Returns an id that no option has.
fn id(argument: &Argument) -> String {
    format!("argument {}", argument.name)
}

fn own_argument(
    argument: &'static Argument,
    command: &'static table::Command,
    taken: &[&str],
) -> Arg {
    let mut others = command.arguments.iter();
    let body = others.find(|other| other.is_body);
    let mut long = argument.name.to_owned();
    while taken.contains(&long.as_str()) || matches!(long.as_str(), "help" | "version") {
        long.push_str("-argument");
    }
    let kind = match argument.kind {
        Kind::Text => argument.name.to_uppercase(),
        Kind::Number => "NUMBER".to_owned(),
        Kind::Boolean => "true|false".to_owned(),
        Kind::Json => "JSON|@FILE".to_owned(),
        Kind::File | Kind::Secret => "FILE".to_owned(),
    };
    let arg = Arg::new(id(argument))
        .value_name(kind)
        .help(argument.help)
        .required(argument.is_required)
        .allow_negative_numbers(argument.kind == Kind::Number)
        .action(if argument.is_list {
            ArgAction::Append
        } else {
            ArgAction::Set
        });
    let arg = match body.filter(|_| argument.is_required && argument.member.is_some()) {
        Some(body) => arg.required(false).required_unless_present(id(body)),
        None => arg,
    };
    let arg = if argument.is_positional {
        arg
    } else {
        arg.long(long)
    };
    match (argument.values, argument.is_list) {
        ([], _) => arg,
        (values, is_list) => {
            let arg = arg.value_parser(PossibleValuesParser::new(values));
            if is_list {
                arg.value_delimiter(',')
            } else {
                arg
            }
        }
    }
}

/// Returns an id that no option has.
fn clear_id(argument: &Argument) -> String {
    format!("clear {}", argument.name)
}

/// Returns the flag that sends an argument as null, if that is possible.
fn clear(argument: &Argument, command: &table::Command, taken: &[&str]) -> Option<Arg> {
    let long = format!("clear-{}", argument.name);
    let is_free =
        !taken.contains(&long.as_str()) && command.arguments.iter().all(|other| other.name != long);
    let flag = Arg::new(clear_id(argument))
        .long(long)
        .help(format!("Send `{}` as null", argument.name))
        .action(ArgAction::SetTrue)
        .conflicts_with(id(argument));
    (argument.is_nullable && is_free).then_some(flag)
}

/// Returns the options that all operations have, or all of a kind.
pub(crate) fn common(command: &table::Command, is_metered: bool) -> Vec<Arg> {
    let mut all = vec![
        flag(
            "dry-run",
            if is_metered {
                "Show the request and what it would cost, and send nothing"
            } else {
                "Show the request, and send nothing"
            },
        ),
        value(
            "from",
            "FILE",
            "Call once for each line of a file, `-` for standard input, in place of the first argument",
        ),
        value(
            "column",
            "NAME",
            "The column to read; the file of `--from` is then CSV",
        )
        .requires("from"),
        value(
            "concurrency",
            "N",
            "How many calls of `--from` are made at a time",
        )
        .value_parser(value_parser!(u16).range(1..=256))
        .default_value("4"),
        value(
            "extra",
            "NAME=VALUE",
            "A query parameter that is not documented",
        )
        .action(ArgAction::Append),
        flag(
            "quiet",
            if is_metered {
                "Show no progress and no bill"
            } else {
                "Show no progress"
            },
        ),
    ];
    let last = all.len().saturating_sub(1);
    all.splice(last..last, target::options().into_iter().chain(service()));
    #[cfg(feature = "cache")]
    all.extend(cache::options());
    #[cfg(feature = "metered")]
    if is_metered {
        #[cfg(feature = "redis")]
        all.splice(..0, account::options());
        all.splice(..0, money::options());
        all.extend([
            value("resume", "FILE", "Record in this file what is done and paid, and continue from it: nothing is paid for twice. If a run was killed within a page, the rest of the page is requested only with `--again`. The budget then bounds all runs together")
                .requires("budget"),
            flag("json", "Show as JSON what all calls would cost together").requires("dry-run"),
            flag("again", "Also repeat calls of an earlier run that may have been billed and returned no record or only part of a page")
                .requires("resume"),
            settle::option("INPUT=CREDITS", "Settle the call of an input that may have been billed, as the provider's account says, and do nothing else. Of a single call: the credits alone. The input is called again only with `--again`")
                .requires("resume")
                .conflicts_with("dry-run"),
        ]);
    }
    match command.does {
        Does::Once => {}
        Does::Pages => {
            all.push(flag("all", "Request all pages, not just one"));
            let most = value(
                "max-records",
                "N",
                "Request pages until there are this many records",
            );
            all.push(most.value_parser(value_parser!(u64)));
        }
        Does::Waits => all.push(flag(
            "wait",
            "Poll until it is done, and write that response too",
        )),
    }
    all
}

/// Reads the arguments of an operation.
pub(crate) fn arguments(
    command: &table::Command,
    given: &ArgMatches,
) -> Result<Arguments, Refusal> {
    let mut arguments = Arguments::default();
    for argument in command.arguments {
        let is_cleared = given.try_get_one::<bool>(&clear_id(argument));
        if is_cleared.is_ok_and(|is_cleared| is_cleared == Some(&true)) {
            arguments.give_json(argument, Value::Null);
            continue;
        }
        // The argument that a list stands for is not there.
        let Ok(Some(values)) = given.try_get_many::<String>(&id(argument)) else {
            continue;
        };
        let values: Vec<String> = values.cloned().collect();
        arguments.give(argument, &values)?;
    }
    for extra in given.get_many::<String>("extra").into_iter().flatten() {
        arguments.add_extra(extra)?;
    }
    #[cfg(feature = "cache")]
    {
        arguments.cache = cache::control(given);
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests;
