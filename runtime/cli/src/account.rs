//! The account that commands and the server for agents draw on, and `--set-limit`, which sets its limit once, before workers open it.

use std::env;
use std::io::{self, Write};
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::ended::Ended;
use crate::money::credits;
use crate::options::value;
use crate::report::report;
use crate::visible::visible;
use generated_client::Client;
use generated_client::Credits;
use generated_client::account::{Account, OpenError, RedisStore};
use generated_client::document::Api;

/// How long settlements have to reach the store of an account at the end.
const FLUSH: Duration = Duration::from_secs(10);

/// Returns the options that name an account to draw on.
pub(crate) fn options() -> [Arg; 3] {
    [
        value(
            "account",
            "NAME",
            "Also draw on this account, which other processes share",
        ),
        value(
            "store",
            "URL",
            "The server of the account, `redis://…`; default: that of the environment",
        )
        .requires("account"),
        value(
            "scope",
            "NAME[=CREDITS]",
            "A part of the account to draw on, and its limit if it has none yet",
        )
        .requires("account"),
    ]
}

/// Opens the account that the options name.
pub(crate) async fn open(api: &Api, given: &ArgMatches) -> Result<Option<Account>, Ended> {
    // An API without prices has no such options.
    let option = |name| given.try_get_one::<String>(name).ok().flatten();
    let Some(name) = option("account") else {
        return Ok(None);
    };
    let store = connect(api, given).await?;
    let account = Account::named(name).open(store).await;
    let account = account.map_err(not_opened)?;
    let Some(scope) = option("scope") else {
        return Ok(Some(account));
    };
    let (scope, limit) = scope
        .split_once('=')
        .map_or((scope.as_str(), None), |(scope, limit)| {
            (scope, Some(limit))
        });
    let limit = limit
        .map(str::parse::<Credits>)
        .transpose()
        .map_err(|error| Ended::Usage(error.to_string()))?;
    let account = account.scoped(scope, limit, None).await;
    Ok(Some(account.map_err(not_opened)?))
}

/// Waits until the account of a client knows what all calls have cost.
pub(crate) async fn flush(client: &Client) {
    if let Some(account) = client.account()
        && let Err(error) = account.flush(FLUSH).await
    {
        report(&error.to_string());
    }
}

/// Adds the options of `--set-limit`, whose names are reserved.
pub(crate) fn limit_options(command: Command, api: &Api) -> Command {
    let store = format!(
        "The server of the account, `redis://…`; default: that of {}_STORE",
        api.environment
    );
    command.args([
        Arg::new("set-limit")
            .long("set-limit")
            .value_name("CREDITS")
            .value_parser(value_parser!(Credits))
            .requires("account")
            .help("Set the limit of an account that has none, and do nothing else"),
        Arg::new("account")
            .long("account")
            .value_name("NAME")
            .requires("set-limit")
            .help("The account whose limit is set"),
        Arg::new("store")
            .long("store")
            .value_name("URL")
            .requires("set-limit")
            .help(store),
    ])
}

/// Sets the limit if `--set-limit` is given, and prints the usage of the account. `None`: the option is missing.
pub(crate) fn set_limit(api: &Api, given: &ArgMatches) -> Option<Result<(), Ended>> {
    let limit = given.get_one::<Credits>("set-limit")?;
    let name = given.get_one::<String>("account")?;
    Some(set(api, given, name, *limit))
}

/// Connects to the server of accounts.
async fn connect(api: &Api, given: &ArgMatches) -> Result<RedisStore, Ended> {
    let variable = format!("{}_STORE", api.environment);
    let url = given.get_one::<String>("store").cloned();
    let url = url.or_else(|| env::var(&variable).ok()).ok_or_else(|| {
        Ended::Usage(format!(
            "name the server of the account: give `--store`, or set {variable}"
        ))
    })?;
    let store = RedisStore::connect(&url).await;
    store.map_err(|error| Ended::Failed(error.to_string()))
}

/// Returns the end of a program whose account or scope cannot be opened.
fn not_opened(error: OpenError) -> Ended {
    match error {
        OpenError::Store(_) => Ended::Failed(error.to_string()),
        error => Ended::Usage(error.to_string()),
    }
}

fn set(api: &Api, given: &ArgMatches, name: &str, limit: Credits) -> Result<(), Ended> {
    let threads = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let threads = threads.map_err(|error| Ended::Failed(error.to_string()))?;
    let usage = threads.block_on(async {
        let store = connect(api, given).await?;
        let account = Account::named(name).limit(limit).open(store).await;
        let usage = account.map_err(not_opened)?.usage().await;
        usage.map_err(|error| Ended::Failed(error.to_string()))
    });
    let usage = usage?.usage;
    let said = format!(
        "The account `{}` has a limit of {}: {} spent, {} reserved, {} at risk.\n",
        visible(name),
        credits(limit),
        usage.spent,
        usage.reserved,
        usage.at_risk
    );
    Ok(io::stdout().write_all(said.as_bytes())?)
}
