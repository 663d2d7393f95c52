//! `--set-limit`: sets the limit of an account once, before workers open it.

use std::env;
use std::io::{self, Write};

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::ended::Ended;
use generated_client::document::Api;
use metered_client::Credits;
use metered_client::account::{Account, AccountBuilder, OpenError, RedisStore, StoreError};

/// Adds the options, whose names are reserved.
pub(crate) fn options(command: Command, api: &Api) -> Command {
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

/// Returns the URL of the server of accounts.
pub(crate) fn store(api: &Api, given: &ArgMatches) -> Result<String, Ended> {
    let variable = format!("{}_STORE", api.environment);
    let url = given.get_one::<String>("store").cloned();
    url.or_else(|| env::var(&variable).ok()).ok_or_else(|| {
        Ended::Usage(format!(
            "name the server of the account: give `--store`, or set {variable}"
        ))
    })
}

/// Returns the end of a program whose account or scope cannot be opened.
pub(crate) fn not_opened(error: OpenError) -> Ended {
    match error {
        OpenError::Store(_) => Ended::Failed(error.to_string()),
        error => Ended::Usage(error.to_string()),
    }
}

fn set(api: &Api, given: &ArgMatches, name: &str, limit: Credits) -> Result<(), Ended> {
    let account = Account::named(name).limit(limit);
    let usage = with_account(&store(api, given)?, account, async |account| {
        account.usage().await
    })?;
    let usage = usage.usage;
    let said = format!(
        "The account `{name}` has a limit of {limit} credits: {} spent, {} reserved, {} at risk.\n",
        usage.spent, usage.reserved, usage.at_risk
    );
    Ok(io::stdout().write_all(said.as_bytes())?)
}

/// Opens an account of this server, and does something with it.
pub(crate) fn with_account<T>(
    url: &str,
    account: AccountBuilder,
    work: impl AsyncFnOnce(Account) -> Result<T, StoreError>,
) -> Result<T, Ended> {
    let failed = |error: &dyn std::error::Error| Ended::Failed(error.to_string());
    let threads = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    threads.map_err(|error| failed(&error))?.block_on(async {
        let store = RedisStore::connect(url).await;
        let store = store.map_err(|error| failed(&error))?;
        let account = account.open(store).await.map_err(not_opened)?;
        work(account).await.map_err(|error| failed(&error))
    })
}
