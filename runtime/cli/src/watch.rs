//! `watch`: calls again what is stored and too old, and writes what has changed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Arg, ArgMatches, Command};
use generated_client::Client;
use generated_client::drift::Change;
use generated_client::internal::without_mark;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::value::to_raw_value;

use crate::arguments::Arguments;
use crate::cache::{Age, EVERY, positive};
use crate::call::Call;
use crate::ended::Ended;
use crate::extent::Extent;
use crate::inputs::{Input, Inputs, Listed};
use crate::money::{self, Begun};
use crate::options::{flag, value};
use crate::parser;
use crate::report::report;
use crate::run::{Failure, Run, lock};
use crate::table::{self, Program};
use crate::visible::visible;

/// Options of an operation that are none of its `watch`: the file of the cache says what is done, and what is written has a form of its own.
const LEFT_OUT: [&str; 14] = [
    "again",
    "all",
    "columns",
    "json",
    "key",
    "max-age",
    "max-records",
    "only-if-cached",
    "output",
    "refresh",
    "resume",
    "settle",
    "table",
    "wait",
];

/// Returns the name of the command. An operation that has it keeps it.
pub(crate) fn name(program: &Program) -> &'static str {
    program.free_name(["watch", "watch-stored"])
}

/// Returns the command, with each operation below it.
pub(crate) fn command(program: &Program, has_list: bool) -> Command {
    let about = "Calls an operation again where its stored response is too old, and writes what has changed";
    Command::new(name(program))
        .about(about)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(parser::subcommands(program, has_list, options))
}

fn options(command: &table::Command, is_metered: bool) -> Vec<Arg> {
    let mut all = parser::common(command, is_metered);
    all.retain(|arg| !LEFT_OUT.contains(&arg.get_id().as_str()));
    let all = all.into_iter().map(|arg| {
        let is_needed = arg.get_id() == "cache";
        arg.required(is_needed)
    });
    let every = value(
        EVERY,
        "AGE",
        "Call where the stored response is older than this, such as 30d, 12h or 90s, or missing; the oldest first",
    );
    let own = [
        every.value_parser(positive).required(true),
        flag("json", "Write a line of JSON for each call"),
    ];
    own.into_iter().chain(all).collect()
}

/// What has changed between two responses.
#[derive(Serialize)]
struct Report {
    /// Seconds between the two; `None` for the first response.
    seconds: Option<u64>,
    changes: Vec<Change>,
}

impl Report {
    fn text(&self, input: &str) -> String {
        let of = match input {
            "" => String::new(),
            input => format!("{}: ", visible(input)),
        };
        let Some(seconds) = self.seconds else {
            return format!("{of}stored for the first time\n");
        };
        let age = Age(Duration::from_secs(seconds));
        let count = match self.changes.len() {
            0 => "unchanged".to_owned(),
            1 => "1 change".to_owned(),
            count => format!("{count} changes"),
        };
        let changes = self.changes.iter().map(|change| format!("  {change}\n"));
        format!("{of}{count} in {age}\n{}", changes.collect::<String>())
    }
}

/// Makes a call whose stored response is too old, and writes what has changed.
pub(crate) async fn watch(run: &Run, begun: &Begun, call: &Call) -> Result<(), Failure> {
    let earlier = call.client.watched(&call.request).await;
    let earlier = earlier.map_err(|error| run.failed(begun, error))?;
    let sent = call.send(None).await;
    let response = sent.map_err(|error| run.failed(begun, error))?;
    let raw = without_mark(&response.raw);
    if !raw.is_empty() && serde_json::from_slice::<IgnoredAny>(raw).is_err() {
        return Ok(run.unreadable(begun, &response.raw)?);
    }
    let report = match earlier {
        None => Report {
            seconds: None,
            changes: Vec::new(),
        },
        Some(earlier) => Report {
            seconds: Some(age(earlier.at)),
            changes: response.changes_since(&earlier.body),
        },
    };
    let mut output = lock(&run.output);
    let written = if run.extent.is_json {
        let record = to_raw_value(&report).unwrap_or_default();
        output.record(begun.input(), &record)
    } else {
        output.bytes(report.text(begun.input()).as_bytes())
    };
    drop(output);
    if let Err(error) = written {
        run.rescue(begun.input(), &response.raw);
        return Err(Ended::from(error).into());
    }
    Ok(begun.done()?)
}

fn age(at: SystemTime) -> u64 {
    let age = SystemTime::now().duration_since(at);
    age.unwrap_or_default().as_secs()
}

/// Returns the inputs of a watch that are due: those without a stored response first, then the oldest. `None` if none is. Other runs have all.
pub(crate) async fn due(
    extent: Extent,
    client: &Client,
    command: &'static table::Command,
    arguments: &Arguments,
    inputs: Listed,
) -> Result<Option<Listed>, Ended> {
    if !extent.is_watch {
        return Ok(Some(inputs));
    }
    let Some((argument, list)) = inputs else {
        let since = due_since(client, command, arguments).await?;
        return Ok(since.map(|_| None).or_else(nothing_due));
    };
    let mut due: Vec<(SystemTime, Input)> = Vec::new();
    for input in list.values {
        let mut arguments = arguments.clone();
        // One that is refused is reported by its call.
        let since = match arguments.give(argument, input.given()) {
            Ok(()) => due_since(client, command, &arguments).await?,
            Err(_) => Some(UNIX_EPOCH),
        };
        due.extend(since.map(|since| (since, input)));
    }
    due.sort_by_key(|(since, _)| *since);
    let values: Vec<Input> = due.into_iter().map(|(_, input)| input).collect();
    if values.is_empty() {
        return Ok(nothing_due());
    }
    let repeated = list.repeated;
    Ok(Some(Some((argument, Inputs { values, repeated }))))
}

fn nothing_due<T>() -> Option<T> {
    report("Nothing is due: no stored response is that old.");
    None
}

/// Returns when the stored response arrived, if it is too old; 1970 if there is none.
async fn due_since(
    client: &Client,
    command: &'static table::Command,
    arguments: &Arguments,
) -> Result<Option<SystemTime>, Ended> {
    let Ok(call) = (command.call)(client, arguments) else {
        return Ok(Some(UNIX_EPOCH));
    };
    let stored = client.watched(&call.request).await;
    let stored = stored.map_err(|error| Ended::of(&error, money::is_metered(client)))?;
    Ok(match stored {
        None => Some(UNIX_EPOCH),
        Some(stored) => (!stored.is_fresh).then_some(stored.at),
    })
}

/// Returns whether the run is one of this command.
pub(crate) fn is_watch(given: &ArgMatches) -> bool {
    matches!(given.try_get_one::<Age>(EVERY), Ok(Some(_)))
}
