//! The account of a server: one budget with other processes.

use clap::{Arg, ArgMatches};
use generated_client::document::Api;
use metered_client::Credits;
use metered_client::account::{Account, RedisStore};

use crate::account::{not_opened, store};
use crate::ended::Ended;
use crate::options::value;

/// Returns the options.
pub(super) fn options() -> [Arg; 3] {
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
pub(super) async fn open(api: &Api, given: &ArgMatches) -> Result<Option<Account>, Ended> {
    let option = |name| given.try_get_one::<String>(name).ok().flatten();
    let Some(name) = option("account") else {
        return Ok(None);
    };
    let store = RedisStore::connect(&store(api, given)?).await;
    let store = store.map_err(|error| Ended::Failed(error.to_string()))?;
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
