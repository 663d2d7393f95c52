//! The account that commands and the server for agents draw on, and the options that manage it: `--set-limit`, which sets its limit once, before
//! workers open it, `--freeze` and `--thaw`.

use std::env;
use std::io::{self, Write};
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::ended::Ended;
use crate::money::credits;
use crate::options::value;
use crate::report::report;
use crate::visible::visible;
use generated_client::Client;
use generated_client::Credits;
use generated_client::account::{Account, OpenError, RedisStore, StoreError};
use generated_client::document::Api;

/// How long settlements have to reach the store of an account at the end.
const FLUSH: Duration = Duration::from_secs(10);
/// The group of the options that change an account.
const CHANGES: &str = "changes of an account";

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

/// Adds the options that manage an account, whose names are reserved.
pub(crate) fn manage_options(command: Command, api: &Api) -> Command {
    let store = format!(
        "The server of the account, `redis://…`; default: that of {}_STORE",
        api.environment
    );
    let changes = [
        Arg::new("set-limit")
            .long("set-limit")
            .value_name("CREDITS")
            .value_parser(value_parser!(Credits))
            .help("Set the limit of an account that has none, and do nothing else"),
        Arg::new("freeze")
            .long("freeze")
            .value_name("REASON")
            .help("Refuse all calls that draw on an account, in all processes and for this reason, and do nothing else"),
        Arg::new("thaw")
            .long("thaw")
            .action(ArgAction::SetTrue)
            .help("End the freeze of an account, and do nothing else"),
    ];
    command
        .args(changes.map(|change| change.requires("account").group(CHANGES)))
        .args([
            Arg::new("account")
                .long("account")
                .value_name("NAME")
                .requires(CHANGES)
                .help("The account that is changed"),
            Arg::new("store")
                .long("store")
                .value_name("URL")
                .requires(CHANGES)
                .help(store),
        ])
}

/// Changes an account, if an option says so. `None`: the options are missing.
pub(crate) fn manage(api: &Api, given: &ArgMatches) -> Option<Result<(), Ended>> {
    let name = given.get_one::<String>("account")?;
    let threads = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let said = match threads {
        Ok(threads) => threads.block_on(change(api, given, name)),
        Err(error) => Err(Ended::Failed(error.to_string())),
    };
    Some(said.and_then(|said| {
        let line = format!("The account `{}` {said}.\n", visible(name));
        Ok(io::stdout().write_all(line.as_bytes())?)
    }))
}

/// Makes the change, and returns what the account then is.
async fn change(api: &Api, given: &ArgMatches, name: &str) -> Result<String, Ended> {
    let store = connect(api, given).await?;
    let limit = given.get_one::<Credits>("set-limit");
    let mut account = Account::named(name);
    if let Some(limit) = limit {
        account = account.limit(*limit);
    }
    let account = account.open(store).await.map_err(not_opened)?;
    if let Some(limit) = limit {
        let usage = account.usage().await?.usage;
        return Ok(format!(
            "has a limit of {}: {} spent, {} reserved, {} at risk",
            credits(*limit),
            usage.spent,
            usage.reserved,
            usage.at_risk
        ));
    }
    if let Some(reason) = given.get_one::<String>("freeze") {
        account.freeze(reason).await?;
        return Ok(format!("is frozen: {}", visible(reason)));
    }
    account.thaw().await?;
    Ok("is not frozen".to_owned())
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
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
    Ok(RedisStore::connect(&url).await?)
}

/// Returns the end of a program whose account or scope cannot be opened.
fn not_opened(error: OpenError) -> Ended {
    match error {
        OpenError::Store(error) => error.into(),
        error => Ended::Usage(error.to_string()),
    }
}
