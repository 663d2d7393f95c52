//! The server: from its options to its end.

use std::sync::Arc;

use clap::ArgMatches;
use rmcp::ServiceExt;

use super::offered::operations;
use super::server::Server;
use super::session::Session;
#[cfg(feature = "redis")]
use crate::account;
use crate::ended::Ended;
use crate::money::{self, Run};
use crate::report::report;
use crate::settings::Settings;
#[cfg(feature = "metered")]
use crate::settle::settle;
use crate::signals::Signals;
use crate::table::Program;

/// How many calls are in flight at most.
const IN_FLIGHT: usize = 8;

/// Serves until standard input ends, or a signal comes.
pub(crate) fn run(program: &'static Program, given: &ArgMatches) -> Result<(), Ended> {
    let threads = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let threads = threads.map_err(|error| Ended::Failed(error.to_string()))?;
    let ended = threads.block_on(serve(program, given));
    // A read of standard input may not have ended.
    threads.shutdown_background();
    ended
}

async fn serve(program: &'static Program, given: &ArgMatches) -> Result<(), Ended> {
    let chosen: Vec<String> = given
        .get_many("tools")
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let (offered, left_out) = operations(program, &chosen).map_err(Ended::Usage)?;
    for line in left_out {
        report(&format!("not offered: {line}"));
    }
    let settings = Settings::read(program.api, given, IN_FLIGHT)?;
    let run =
        Run::new(format!("{} mcp", program.api.name)).part("base URL", settings.base_url.as_str());
    let path = given.try_get_one::<String>("journal").ok().flatten();
    let journal = money::open(path, run, false)?;
    // Works also while the store of an account is away.
    #[cfg(feature = "metered")]
    if let Some(settled) = settle(&journal, given, split_input) {
        return settled;
    }
    #[cfg(feature = "redis")]
    let settings = settings.account(account::open(program.api, given).await?);
    let client = settings.client(given, &journal)?;
    journal.start()?;
    let most = given
        .get_one::<u32>("max-result-bytes")
        .copied()
        .unwrap_or_default();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let has_file = path.is_some();
    let session = Session::new(program, client, journal, has_file, offered, most);
    let session = Arc::new(session);
    let signals = Signals::listen(program.is_metered());
    let ended = tokio::select! {
        ended = standard(Arc::clone(&session)) => ended,
        () = signals.stopped() => Ok(()),
    };
    // Calls in flight are paid for. A second signal ends the program at once.
    let _ended = tokio::select! {
        ended = session.ended() => ended,
        () = signals.killed() => return Err(Ended::Stopped("stopped at once: calls in flight may be billed".to_owned())),
    };
    #[cfg(feature = "redis")]
    account::flush(&session.client).await;
    if program.is_metered()
        && let Some(bill) = money::bill(&session.client)
    {
        report(&bill);
    }
    ended
}

/// Serves standard input until it ends.
async fn standard(session: Arc<Session>) -> Result<(), Ended> {
    let pipes = (tokio::io::stdin(), tokio::io::stdout());
    // A client that disconnects before its first message is not a failure.
    let Ok(served) = Server(session).serve(pipes).await else {
        return Ok(());
    };
    let ended = served.waiting().await;
    ended
        .map(|_| ())
        .map_err(|error| Ended::Failed(error.to_string()))
}

/// Splits the input of a paid call into its id in the history, and the tool with its arguments.
#[cfg(feature = "metered")]
fn split_input(input: &str) -> (&str, &str) {
    let (number, call) = input.split_once(' ').unwrap_or((input, ""));
    (number.trim_start_matches('0'), call)
}
