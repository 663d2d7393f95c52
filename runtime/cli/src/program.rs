//! The program: from its arguments to its exit code.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap_complete::Shell;

#[cfg(feature = "redis")]
use crate::account;
use crate::argument::Argument;
use crate::arguments::Arguments;
use crate::call::window;
use crate::dry_run::DryRun;
use crate::ended::Ended;
use crate::extent::Extent;
use crate::inputs::{Input, Inputs, Listed};
#[cfg(feature = "mcp")]
use crate::mcp;
use crate::money::{self, Wanted};
use crate::parser;
use crate::progress::Progress;
use crate::report::report;
use crate::run::{Run, lock};
use crate::settings::Settings;
#[cfg(feature = "metered")]
use crate::settle::settle;
use crate::signals::Signals;
use crate::table::{Command, Program};
use crate::target::Chosen;
#[cfg(feature = "cache")]
use crate::watch;

/// Runs the command line of an API. `arguments` begin with the name of the program, as those of [`std::env::args_os`] do.
pub fn main<I>(program: &'static Program, arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString>,
{
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let is_list = |argument: &OsString| {
        let text = argument.to_string_lossy();
        text == "--from" || text.starts_with("--from=")
    };
    let has_list = arguments.iter().any(is_list);
    let mut parser = parser::parser(program, has_list);
    if arguments
        .iter()
        .any(|argument| argument == parser::HELP_ALL)
    {
        parser = parser::with_all_options(parser);
    }
    let given = match parser.try_get_matches_from(arguments) {
        Ok(given) => given,
        Err(error) => {
            match error.kind() {
                ErrorKind::DisplayHelp
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                | ErrorKind::DisplayVersion => {
                    // A closed pipe is no reason to fail: `--help` may be piped to a pager.
                    _ = error.print();
                }
                // It quotes an argument, which may hold anything.
                _ => _ = report(error.render().to_string().trim_end()),
            }
            return ExitCode::from(u8::from(error.use_stderr()).saturating_mul(2));
        }
    };
    match run(program, &given, has_list) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ended) => {
            report(&ended.to_string());
            ExitCode::from(ended.code())
        }
    }
}

fn run(program: &'static Program, given: &ArgMatches, has_list: bool) -> Result<(), Ended> {
    if let Some(shell) = given.get_one::<Shell>("completions") {
        let mut command = parser::parser(program, false);
        let mut text = Vec::new();
        clap_complete::generate(*shell, &mut command, program.api.name, &mut text);
        return Ok(io::stdout().write_all(&text)?);
    }
    #[cfg(feature = "redis")]
    if program.is_metered()
        && let Some(done) = account::manage(program.api, given)
    {
        return done;
    }
    #[cfg(feature = "mcp")]
    if let Some((name, given)) = given.subcommand()
        && name == mcp::name(program)
    {
        return mcp::run(program, given);
    }
    #[cfg(feature = "cache")]
    let given = match given.subcommand() {
        Some((name, below)) if name == watch::name(program) => below,
        _ => given,
    };
    let Some((command, given)) = program.chosen(given) else {
        return Err(Ended::usage("name an operation; `--help` lists them"));
    };
    let arguments =
        parser::arguments(command, given).map_err(|refusal| Ended::Usage(refusal.to_string()))?;
    let inputs = inputs(command, given, has_list)?;
    let threads = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let threads = threads.map_err(|error| Ended::Failed(error.to_string()))?;
    threads.block_on(calls(program, command, given, arguments, inputs))
}

fn inputs(command: &'static Command, given: &ArgMatches, has_list: bool) -> Result<Listed, Ended> {
    let from = given.get_one::<String>("from").filter(|_| has_list);
    let Some(from) = from else { return Ok(None) };
    let Some(argument) = parser::listed(command) else {
        return Err(Ended::Usage(format!(
            "`{}` has no argument that `--from` could fill",
            command.name
        )));
    };
    let column = given.get_one::<String>("column").map(String::as_str);
    Ok(Some((
        argument,
        Inputs::read(from, column, argument.is_website)?,
    )))
}

async fn calls(
    program: &'static Program,
    command: &'static Command,
    given: &ArgMatches,
    arguments: Arguments,
    inputs: Listed,
) -> Result<(), Ended> {
    let extent = extent(given);
    let at_a_time = usize::from(given.get_one::<u16>("concurrency").copied().unwrap_or(1));
    let chosen = Chosen::read(given)?;
    let listed = inputs.as_ref().map(|(argument, _)| argument.name);
    let path = given.try_get_one::<String>("resume").ok().flatten();
    let is_dry = given.get_flag("dry-run");
    let mut output = chosen.open(command, listed, path.is_some(), is_dry)?;
    let settings = Settings::read(program.api, given, at_a_time)?;
    let identity = money::Run::new(program.api.name)
        .part("operation", command.name)
        .part("base URL", settings.base_url.as_str())
        .part("arguments", arguments.identity())
        .part("`--wait`", extent.wait);
    if is_dry {
        let journal = money::look(path, identity)?;
        let client = settings.client(given, &journal)?;
        #[cfg(feature = "cache")]
        let Some(inputs) = watch::due(extent, &client, command, &arguments, inputs).await? else {
            return Ok(());
        };
        let dry = DryRun {
            command,
            client: &client,
            extent,
            journal: &journal,
        };
        return dry.show(arguments, inputs).await;
    }
    // A later run appends to the output: it must have the same form.
    let identity = identity.part("output", chosen.form());
    let journal = money::open(path, identity, extent.again)?;
    #[cfg(feature = "metered")]
    if let Some(settled) = settle(&journal, given, |input| (input, "")) {
        return settled;
    }
    // A dry run and a settlement need no store.
    #[cfg(feature = "redis")]
    let settings = settings.account(account::open(program.api, given).await?);
    let client = settings.client(given, &journal)?;
    #[cfg(feature = "cache")]
    let Some(inputs) = watch::due(extent, &client, command, &arguments, inputs).await? else {
        return Ok(());
    };
    output.start(journal.goes_on())?;
    journal.start()?;
    let window = window(command, &client, &arguments, &inputs, extent);
    let (argument, values, repeated) = match inputs {
        Some((argument, inputs)) => (Some(argument), inputs.values, inputs.repeated),
        None => (None, vec![Input::single()], 0),
    };
    if argument.is_some() {
        output.repeat_lines(&values);
    }
    let run = Arc::new(Run {
        command,
        client,
        extent,
        window,
        inputs: values,
        output: Mutex::new(output),
        journal,
        has_file: path.is_some(),
        signals: Signals::listen(program.is_metered()),
        progress: Progress::new(given.get_flag("quiet"), program.is_metered()),
        ways_out: Mutex::new(BTreeSet::new()),
    });
    run.progress.note_repeated(repeated);
    let killed = stopped(program.is_metered());
    let ended = run_to_end(&run, argument, arguments, at_a_time, killed).await;
    // A single call can simply be run again.
    let is_list = listed.is_some() && !extent.is_watch;
    let is_long = is_list || extent.wanted != Wanted::Page || run.has_file;
    ended.map_err(|ended| {
        if is_long {
            let left = run.has_file.then(|| run.left(false));
            ended.with_advice(left, program.is_metered())
        } else {
            ended.with_greater_budget()
        }
    })
}

/// Makes the calls, until a second signal: then the message `killed`. Either way the output is completed, and the budget settled.
async fn run_to_end(
    run: &Arc<Run>,
    argument: Option<&'static Argument>,
    arguments: Arguments,
    at_a_time: usize,
    killed: &str,
) -> Result<(), Ended> {
    let work = async {
        match argument {
            None => run.single(&arguments).await,
            Some(argument) => Arc::clone(run).list(argument, arguments, at_a_time).await,
        }
    };
    let ended = tokio::select! {
        ended = work => ended,
        // The journal has the calls in flight, and counts them as at risk.
        () = run.signals.killed() => Err(Ended::Stopped(killed.to_owned())),
    };
    // First: two signals end the program during the flush.
    let written = run.end();
    #[cfg(feature = "redis")]
    account::flush(&run.client).await;
    ended
        .and(written)
        .map_err(|ended| ended.with_ways_out(&lock(&run.ways_out)))
}

/// Returns the message for a run that was stopped in the middle of calls.
fn stopped(is_metered: bool) -> &'static str {
    if is_metered {
        "stopped at once: calls in flight may be billed"
    } else {
        "stopped at once"
    }
}

fn extent(given: &ArgMatches) -> Extent {
    let is_given = |name| given.try_get_one::<bool>(name).ok().flatten() == Some(&true);
    let wanted = if let Ok(Some(most)) = given.try_get_one::<u64>("max-records") {
        Wanted::Records(*most)
    } else if is_given("all") {
        Wanted::All
    } else {
        Wanted::Page
    };
    Extent {
        wanted,
        wait: is_given("wait"),
        again: is_given("again"),
        #[cfg(feature = "cache")]
        is_watch: watch::is_watch(given),
        #[cfg(not(feature = "cache"))]
        is_watch: false,
        #[cfg(any(feature = "cache", feature = "metered"))]
        is_json: is_given("json"),
    }
}
